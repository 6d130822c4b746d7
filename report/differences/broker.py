"""Differences between releases of the broker."""

from rebalance_proofs.report.differences.row import BROKER, Difference

ROWS = (
    Difference(
        BROKER,
        "5.4.0",
        "ConsumerManager.registerConsumer",
        "notes the group of a topic, not the topic itself",
        "Only `queryTopicConsumeByWho` of administration tools reads that table.",
    ),
    Difference(
        BROKER,
        "5.4.0",
        "DefaultConsumerIdsChangeListener, ClientHousekeepingService",
        "run as plain tasks",
        "The task's superclass only set the folder of log files.",
    ),
    Difference(
        BROKER,
        "5.4.0",
        "ConsumerOffsetManager.cleanOffsetByTopic",
        "also removes pull and reset offsets",
        "Claims assume that no topic is deleted.",
    ),
    Difference(
        BROKER,
        "5.4.0",
        "TopicValidator.validateGroup",
        "rejects names of groups with more than 120 characters",
        "A rejected group has no consumers.",
    ),
    Difference(
        BROKER,
        "5.4.0",
        "NettyRemotingAbstract.writeResponse, PullMessageProcessor",
        "metrics belong to the broker object",
        "Answers and their order are the same.",
    ),
    Difference(
        BROKER,
        "5.5.0",
        "ConsumerOffsetManager.commitOffset",
        "smaller table for each group",
        "The table grows as needed.",
    ),
    Difference(
        BROKER,
        "5.5.0",
        "RocksDBConsumerOffsetManager.commitOffset",
        "can persist each commit at once",
        "`persistConsumerOffsetIncrementally` is off by default. Claims assume that a broker keeps committed offsets.",
    ),
    Difference(
        BROKER,
        "5.5.0",
        "PullMessageProcessor, AdminBrokerProcessor, Broker2Client",
        "lite topics",
        "Pulls without the field `liteTopic` are answered as before.",
    ),
    Difference(
        BROKER,
        "5.5.0",
        "NettyRemotingServer",
        "with enforced TLS, plain connections end with an exception",
        "They were closed before, too.",
    ),
    Difference(
        BROKER,
        "5.5.1",
        "ClientManageProcessor.heartBeat",
        "each group and producer has its own record of a connection",
        "A heartbeat for one group no longer counts for others, so the scan removes a stopped consumer. The scan also "
        "closes the connection of the whole process: its other groups are listed again with the next heartbeat.",
        (
            "registry.java_v4_9_to_v5_3.gone.without-other-group",
            "registry.java_v5_5_1.gone",
            "registry.java_v5_5_1.not-started",
            "registry.java_v5_5_1.agree",
        ),
        10435,
    ),
    Difference(
        BROKER,
        "5.5.1",
        "ClientManageProcessor.heartBeatV2",
        "unchanged: one record for all groups of a heartbeat",
        "With heartbeat V2, which is off by default, a stopped consumer can stay listed as before.",
        ("registry.java_v5_5_1_heartbeat_v2.gone.without-other-group",),
    ),
    Difference(
        BROKER,
        "5.5.1",
        "ConsumerOffsetManager.queryThenEraseResetOffset",
        "removes a group's empty table of reset offsets",
        "A reset that comes at the same moment can be stored in the removed table. The committed offset is reset all "
        "the same. No claim covers resets by the broker.",
    ),
    Difference(
        BROKER,
        "5.5.1",
        "ConsumerOffsetManager.pullOffsetTable",
        "is not persisted",
        "Claims are about committed offsets of the `offsetTable`.",
    ),
)
UNCHANGED = (
    ("5.4.0", "ConsumerGroupInfo, ClientManageProcessor, RebalanceLockManager, QueryAssignmentProcessor"),
    (
        "5.5.0",
        "ConsumerManager, ConsumerGroupInfo, ClientManageProcessor, ClientHousekeepingService, RebalanceLockManager, "
        "QueryAssignmentProcessor",
    ),
    (
        "5.5.1",
        "ConsumerManager, ConsumerGroupInfo, ClientHousekeepingService, RebalanceLockManager, ProducerManager, "
        "DefaultConsumerIdsChangeListener",
    ),
)
"""Releases, each with classes that were compared and are equal to those of the release before."""
