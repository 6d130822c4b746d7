"""Differences between releases of the broker."""

from rebalance_proofs.report.differences.row import BROKER, Difference

__all__ = ["ROWS"]

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
)
UNCHANGED = (
    ("5.4.0", "ConsumerGroupInfo, ClientManageProcessor, RebalanceLockManager, QueryAssignmentProcessor"),
    (
        "5.5.0",
        "ConsumerManager, ConsumerGroupInfo, ClientManageProcessor, ClientHousekeepingService, RebalanceLockManager, "
        "QueryAssignmentProcessor",
    ),
)
"""Releases, each with classes that were compared and are equal to those of the release before."""
