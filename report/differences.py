"""Differences between releases; ``python -m rebalance_proofs.report.differences`` prints the page of the docs."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from rebalance_proofs.report.claims.mark import from_docs
from rebalance_proofs.report.markdown_tables import table

# One difference between two releases, and the claims that depend on it.

CLIENT, BROKER = "client", "broker"


@dataclass(frozen=True)
class Difference:
    """A difference between a release and the release before it, found by comparing their sources."""

    part: str
    """``CLIENT`` (with remoting and common), or ``BROKER``."""
    release: str
    """The first release with the new behaviour."""
    place: str
    """Class and method: ``RebalanceImpl.rebalanceByTopic``."""
    change: str
    """The new behaviour, in at most 12 words."""
    why: str
    """Effect on claims, in whole sentences. Without ``claims``: the reason why no claim depends on it."""
    claims: tuple[str, ...] = ()
    """Ids of the claims that depend on it, each to its own verdict or assumption."""
    issue: int = 0
    """Number of the issue or pull request in apache/rocketmq; 0 if unknown."""


# Differences between releases of the Java client; remoting and common belong to it.

CLIENT_ROWS = (
    Difference(
        CLIENT,
        "5.4.0",
        "NettyRemotingClient.invokeAsync",
        "returns after it reports a timeout of the connection",
        "From 5.3.0 to 5.3.3 it continues, and the same pull fails a second time: its pull request then exists twice.",
        ("pulls.java_v5_3_3.one-request.without-connection", "pulls.java_v5_4_0.one-request.without-connection"),
    ),
    Difference(
        CLIENT,
        "5.4.0",
        "NettyRemotingClient.closeChannel, .invoke",
        "stores the wrapper of a channel as the channel's attribute",
        "Both releases find the same wrapper and compare it with the current channel of the address. Only proxies "
        "answer with GO_AWAY.",
    ),
    Difference(
        CLIENT,
        "5.4.0",
        "DefaultLitePullConsumerImpl.subscriptions",
        "heartbeats contain subscriptions of buildSubscriptionsForHeartbeat",
        "The set is empty unless user code fills it. Such topics are in heartbeats, but the client does not rebalance "
        "them.",
    ),
    Difference(
        CLIENT,
        "5.4.0",
        "HeartbeatData, RemotingSerializable",
        "JSON by fastjson2",
        "The fields are the same. A broker compares a heartbeat's fingerprint only with earlier ones of the same "
        "channel.",
    ),
    Difference(
        CLIENT,
        "5.4.0",
        "Validators.checkGroup",
        "a group's name has at most 120 characters (before: 255)",
        "`start()` throws before the consumer does anything.",
    ),
    Difference(
        CLIENT,
        "5.4.0",
        "DefaultMQPushConsumerImpl.sendMessageBackAsNormalMessage",
        "copies the properties before it sets the origin's message id",
        "Claims are about offsets of the subscribed topic, not about properties of messages in retry topics.",
    ),
    Difference(
        CLIENT,
        "5.4.0",
        "MQClientAPIImpl.getAllTopicConfig, .getAllSubscriptionGroup",
        "read configurations page by page",
        "Only administration tools and brokers call them.",
    ),
    Difference(
        CLIENT,
        "5.4.0",
        "MQAdminImpl.queryMessage",
        "queries messages by index type",
        "No consumer queries messages by key.",
    ),
    Difference(
        CLIENT,
        "5.5.0",
        "RebalanceImpl.rebalanceByTopic",
        "no queue: skips the strategy and calls messageQueueChanged",
        "Claims about a rebalance begin when the client knows its share. Up to 5.4.0 the strategies throw for an empty "
        "list: the process queues stay, and the client repeats the rebalance after a second. From 5.5.0 on they stay, "
        "too, but the client counts as balanced (20 s), and calls `messageQueueChanged` with empty sets each time. A "
        "push consumer then raises its subscription's version and sends a heartbeat. Lite pull consumers and "
        "`MQPullConsumerScheduleService` cancel their pull tasks, and start none again while they keep the queues.",
        issue=9780,
    ),
    Difference(
        CLIENT,
        "5.5.0",
        "RebalanceImpl.rebalanceByTopic",
        "no member: skips the strategy",
        "A broker lists at least the consumer that asks. Up to 5.4.0 the strategies throw for an empty list; in all "
        "releases the process queues stay.",
    ),
    Difference(
        CLIENT,
        "5.5.0",
        "RebalanceImpl.buildProcessQueueTableByBrokerName",
        "groups queues of static topics by their real broker",
        "`lockAll` and `unlockAll` now reach the broker that holds such a queue.",
        ("transition.java_v5_2.renewed.push-orderly", "transition.java_v5_5.renewed.push-orderly"),
        issue=10183,
    ),
    Difference(
        CLIENT,
        "5.5.0",
        "MQClientInstance.resetOffset",
        "ordered: waits for the listener, not always 10 s",
        "If no listener runs, the reset ends at once. The query of an ordered queue's first pull can then be answered "
        "after the reset, which the claims exclude by an assumption. Up to 5.4.0 the 10 s are longer than the query's "
        "timeout of 5 s.",
        ("offsets.java_v5_2-orderly.reset-sent", "offsets.java_v5_2-orderly.reset-heard"),
        issue=10076,
    ),
    Difference(
        CLIENT,
        "5.5.0",
        "MQClientInstance.sendHeartbeatToBroker",
        "releases lockHeartbeat if there is neither producer nor consumer",
        "Up to 5.4.0 such a client instance sends no heartbeat any more. Claims are about instances with a consumer, "
        "whose heartbeats always contain it.",
    ),
    Difference(
        CLIENT,
        "5.5.0",
        "ClientConfig.enableConcurrentHeartbeat",
        "sends heartbeats to several brokers at a time",
        "The option is off by default; claims do not cover it.",
    ),
    Difference(
        CLIENT,
        "5.5.0",
        "MQClientInstance.brokerVersionTable",
        "is a ConcurrentHashMap for each broker",
        "No claim depends on the version of a broker.",
    ),
    Difference(
        CLIENT,
        "5.5.0",
        "ProcessQueue.fillProcessQueueInfo",
        "releases only a lock that it holds",
        "Only `mqadmin consumerStatus` calls it. It changes no field of the process queue.",
    ),
    Difference(
        CLIENT,
        "5.5.0",
        "MQClientAPIExt.updateConsumerOffsetAsync",
        "reports errors of the broker",
        "Only the proxy calls it.",
    ),
    Difference(
        CLIENT,
        "5.5.0",
        "MQClientAPIImpl, MessageModel, PullMessageRequestHeader",
        "lite topics",
        "Consumers of the remoting client neither pop from lite topics nor set the new fields.",
    ),
    Difference(
        CLIENT,
        "5.5.0",
        "ServiceThread.getServiceName",
        "has a default: the class's name",
        "`RebalanceService` and `PullMessageService` have the same names as before.",
    ),
    Difference(
        CLIENT,
        "5.5.0",
        "DefaultMQProducerImpl, MQFaultStrategy",
        "producers only",
        "Claims are about consumers.",
    ),
    Difference(
        CLIENT,
        "5.5.1",
        "ServiceThread.waitForRunning, .wakeup",
        "parks instead of waiting for a latch, and loses no wake-up",
        "Of the client, only `rocketmq-common` was read: the claims are about the `RebalanceService` of 5.5.0 on this "
        "`ServiceThread`. A skipped `unpark` loses nothing: a flag that is set has its own `unpark`, or the thread "
        "checks the flag before it parks.",
        ("settling.java_v5_2_to_v5_3.woken.without-timely", "settling.java_v5_5_1.woken", "settling.java_v5_5_1.waits"),
        10543,
    ),
    Difference(
        CLIENT,
        "5.5.1",
        "ServiceThread.waitForRunning",
        "an interrupt stays pending and ends every later wait",
        "Up to 5.5.0, the wait throws an exception, which clears the interrupt. RocketMQ itself interrupts only "
        "threads that it stops.",
        ("settling.java_v5_2_to_v5_3.one-wait", "settling.java_v5_5_1.one-wait"),
    ),
    Difference(
        CLIENT,
        "5.5.1",
        "ServiceThread.makeStop",
        "wakes the thread",
        "No client calls it. `shutdown` has always woken the thread; up to 5.5.0 that wake-up can be lost, too, so "
        "that a shutdown waits for the end of the wait. `PullMessageService` waits for its queue, and lock renewal and "
        "commits run in executors.",
    ),
    Difference(
        CLIENT,
        "5.5.1",
        "MessageQueue.compareTo",
        "compares queue ids without overflow",
        "Queue ids are not negative, so their difference does not overflow.",
    ),
)


# Differences between releases of the broker.

BROKER_ROWS = (
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


ROWS: tuple[Difference, ...] = (*CLIENT_ROWS, *BROKER_ROWS)
"""All differences: those of the client, then those of the broker, each oldest release first."""
HEAD = """# Differences between releases

What changed between client and broker releases, and which claims depend on it. The sources of each release were
compared with those of the release before. `python -m rebalance_proofs.report.differences` prints this page.

*none* means that no claim depends on the change; the details below the tables give the reason. Differences of earlier
releases are in the [guarantees by client](guarantees.md) and in the
[known bugs](symptoms.md#known-bugs-by-version).
"""
TITLES = {CLIENT: "Client", BROKER: "Broker"}
ISSUES = "https://github.com/apache/rocketmq/issues"


def page(rows: Sequence[Difference] = ROWS) -> str:
    """Return docs/reference/differences.md as text."""
    return "\n".join(_lines(rows)).strip() + "\n"


def unknown_claims(rows: Sequence[Difference], known: Collection[str]) -> tuple[str, ...]:
    """Return the ids of claims that rows name and ``known`` does not contain."""
    return tuple(one for row in rows for one in row.claims if one not in known)


def _lines(rows: Sequence[Difference]) -> Iterator[str]:
    yield HEAD
    numbers = {id(row): number for number, row in enumerate(rows, 1)}
    for part, title in TITLES.items():
        own = [row for row in rows if row.part == part]
        yield f"## {title}\n"
        cells = [(row.release, row.place, row.change, _claims(row, numbers[id(row)])) for row in own]
        yield table(("release", "class, method", "change", "claims"), cells) + "\n"
        if part == BROKER:
            for release, classes in UNCHANGED:
                yield f"- Unchanged in {release}: {classes}."
            yield ""
    yield "## Details\n"
    for row in rows:
        yield from _detail(row, numbers[id(row)])


def _claims(row: Difference, number: int) -> str:
    told = "none" if not row.claims else f"{len(row.claims)}"
    return f"[{told}](#{_anchor(number)})"


def _anchor(number: int) -> str:
    return f"difference-{number}"


def _detail(row: Difference, number: int) -> Iterator[str]:
    issue = f" See [rocketmq#{row.issue}]({ISSUES}/{row.issue})." if row.issue else ""
    claims = ", ".join(f"[{one}]({from_docs(one)})" for one in row.claims)
    yield f'- <a id="{_anchor(number)}"></a>**{row.release}, {row.place}**: {row.change}. {row.why}{issue}'
    if claims:
        yield f"  - Claims: {claims}"


if __name__ == "__main__":
    print(page(), end="")
