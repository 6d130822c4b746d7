"""Log lines of clients and brokers, literally as in RocketMQ's sources, with their meanings."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

__all__ = ["Line", "Logs", "Wording", "among", "client_line", "found"]

V4, V5_1, V5_3 = "4.9.8", "5.1.4", "5.3.3"
ALL = (V4, V5_1, V5_3)
"""RocketMQ releases whose sources were searched for each wording."""
HOLE = "{}"
"""Placeholder in a wording for a value, as in ``{}``."""
SHORTEST = 4
"""Fewest characters of a text that is searched for; shorter texts occur in too many lines."""
FEWEST_WORDS = 4
"""Fewest words of a text that is searched for without regard to values and punctuation."""
BROKER_LOG, LOCK_LOG = "broker.log", "lock.log"
"""Log files of the broker, by its logback.xml.

Messages about locks are only in the second file.
"""


class Logs(Enum):
    """Processes that write logs."""

    CLIENT = "client"
    BROKER = "broker"


@dataclass(frozen=True)
class Wording:
    """One form of a log line's text, as some releases write it."""

    text: str
    """Text as in RocketMQ's source, with ``{}`` for each value.

    A trailing part with only values is left out.
    """
    where: str
    """Java class that writes the line."""
    releases: tuple[str, ...] = ALL
    """Releases among ``ALL`` that write this form."""


@dataclass(frozen=True)
class Line:
    """A log line with one meaning, in all its forms in different releases."""

    logs: Logs
    means: str
    """A short title, and sentences about the line; no full stop at the end."""
    wordings: tuple[Wording, ...]
    file: str = ""
    """The broker's default log file; empty for clients, whose file the application sets."""

    @property
    def place(self) -> str:
        """The log that contains the line, such as ``broker (lock.log)``."""
        return f"{self.logs.value} ({self.file})" if self.file else self.logs.value

    @property
    def title(self) -> str:
        """Short title of the line's meaning, such as ``lock denied``."""
        return self.means.partition(". ")[0]

    def of(self, release: str) -> tuple[Wording, ...]:
        """Return the forms that a release writes: those of the first release in ``ALL`` that is not older.

        Return all forms if ``ALL`` has no such release.
        """
        last = next((one for one in ALL if release and _number(one) >= _number(release)), None)
        return tuple(one for one in self.wordings if last in one.releases) or self.wordings


def _number(release: str) -> tuple[int, ...]:
    """Return a release as a tuple of numbers for sorting; clients other than Java sort last."""
    return tuple(map(int, release.split("."))) if release[0].isdigit() else (99,)


def found(text: str, line: Line) -> bool:
    """Return True if the text is a part of one of the line's wordings, or contains one.

    A contained wording has values instead of its placeholders.
    """
    asked = _plain(text)
    return len(asked) >= SHORTEST and (_in_wording(asked, line) or any(True for _ in _logged(asked, line)))


def among(text: str, lines: Iterable[Line]) -> list[Line]:
    """Return the lines that occur in the text.

    A line is left out if its match lies within another line's longer match.
    """
    asked = _plain(text)
    every = [line for line in lines if found(text, line)]
    logged = {id(line): list(_logged(asked, line)) for line in every}

    def covered(place: range, line: Line) -> bool:
        others = (other for one in every if one is not line for other in logged[id(one)])
        return any(len(other) > len(place) and place[0] in other and place[-1] in other for other in others)

    return [
        line
        for line in every
        if _in_wording(asked, line) or any(not covered(place, line) for place in logged[id(line)])
    ]


def _in_wording(asked: str, line: Line) -> bool:
    return any(asked in _plain(one.text) or _in_words(asked, one.text) for one in line.wordings)


def _in_words(asked: str, wording: str) -> bool:
    """Return True if the searched text's words follow each other in a wording.

    Values and punctuation do not count.
    """
    typed, known = (" ".join(re.findall(r"\w+", text.replace(HOLE, " ").casefold())) for text in (asked, wording))
    return typed.count(" ") >= FEWEST_WORDS - 1 and f" {typed} " in f" {known} "


def _logged(asked: str, line: Line) -> Iterator[range]:
    """Yield the positions in the searched text at which a wording of the line matches."""
    for wording in line.wordings:
        parts = [re.escape(part) for part in _plain(wording.text).split(HOLE)]
        for match in re.finditer(".*?".join(parts), asked):
            yield range(*match.span())


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def client_line(where: str, means: str, *texts: str, releases: tuple[str, ...] = ALL) -> Line:
    """Return a line of a client's log with the wordings ``texts``.

    ``where``: the class that writes it; ``means``: its meaning. ``releases`` is empty for clients other than Java's.
    """
    return Line(Logs.CLIENT, means, tuple(Wording(text, where, releases) for text in texts))


def _broker(where: str, means: str, *texts: str) -> Line:
    return Line(Logs.BROKER, means, tuple(Wording(text, where) for text in texts), BROKER_LOG)


def _locks(means: str, before: str, from_5_0: str) -> Line:
    wordings = (Wording(before, "RebalanceLockManager", (V4,)), Wording(from_5_0, "RebalanceLockManager", (V5_1, V5_3)))
    return Line(Logs.BROKER, means, wordings, LOCK_LOG)


RESULT = "group={}, topic={}, clientId={}, mqAllSize={}, cidAllSize={}, rebalanceResultSize={}, rebalanceResultSet={}"

SHARE_CHANGED = Line(
    Logs.CLIENT,
    "share changed. A rebalance changed this client's processQueueTable. mqAllSize and cidAllSize are the sizes of the "
    "lists that it saw. rebalanceResultSet is its share; the table can lack queues whose lock was denied",
    (
        Wording(f"rebalanced result changed. allocateMessageQueueStrategyName={{}}, {RESULT}", "RebalanceImpl", (V4,)),
        Wording(
            f"client rebalanced result changed. allocateMessageQueueStrategyName={{}}, {RESULT}",
            "RebalanceImpl",
            (V5_1, V5_3),
        ),
    ),
)
REMOVED = client_line(
    "RebalanceImpl",
    "queue removed. The queue was taken away from this client, or, from 5.0 on, nothing was pulled from it",
    "doRebalance, {}, remove unnecessary mq, {}",
)
ADDED = client_line("RebalanceImpl", "queue added. This client got the queue", "doRebalance, {}, add a new mq, {}")
TRUNCATED = client_line(
    "RebalanceImpl",
    "unsubscribed queue removed. The client no longer subscribes to the topic",
    "doRebalance, {}, truncateMessageQueueNotMyTopic remove unnecessary mq, {}",
)
LOCK_DENIED = client_line(
    "RebalanceImpl",
    "lock denied. The broker did not grant the lock of a queue that the client wants to add",
    "doRebalance, {}, add a new mq failed, {}, because lock failed",
)
NOT_RENEWED = client_line(
    "RebalanceImpl",
    "lock renewal denied. The broker did not renew the lock of a queue",
    "the message queue locked Failed, Group: {} {}",
)
LOCKS_FAILED = client_line(
    "RebalanceImpl",
    "lock request failed. A request for locks failed or timed out. Either a queue is not added, or locks are not "
    "renewed and continue to age",
    "lockBatchMQ exception, ",
)
UNLOCKS = client_line(
    "RebalanceImpl",
    "unlock sent. The client asked the broker to release a lock",
    "unlock messageQueue. group:{}, clientId:{}, mq:{}",
)
NO_START = client_line(
    "RebalanceImpl",
    "no start offset. The client found no offset for a new queue, so it did not add the queue",
    "doRebalance, {}, add new mq failed, {}",
    "doRebalance, {}, compute offset failed, {}",
)
NOT_PULLED = Line(
    Logs.CLIENT,
    "no pull for two minutes. Up to 4.9, the ProcessQueue has left the table, and no other line reports it. From 5.0 "
    "on, it is marked as dropped, and another line follows when it leaves",
    (
        Wording(
            "[BUG]doRebalance, {}, try remove unnecessary mq, {}, because pull is pause, so try to fixed it",
            "RebalanceImpl",
            (V5_1, V5_3),
        ),
        Wording(
            "[BUG]doRebalance, {}, remove unnecessary mq, {}, because pull is pause, so try to fixed it",
            "RebalanceImpl",
            (V4,),
        ),
    ),
)
NO_IDS = client_line(
    "RebalanceImpl",
    "no member list. The broker did not answer with a member list (cidAll), so the queues stay as they are",
    "doRebalance, {} {}, get consumer id list failed",
)
NO_ROUTE = client_line(
    "RebalanceImpl",
    "no route. The client has no route of the topic",
    "doRebalance, {}, but the topic[{}] not exist.",
)
STRATEGY_THROWS = Line(
    Logs.CLIENT,
    "strategy exception. The strategy threw, and the client keeps its old queues",
    (
        Wording(
            "AllocateMessageQueueStrategy.allocate Exception. allocateMessageQueueStrategyName={}",
            "RebalanceImpl",
            (V4,),
        ),
        Wording("allocate message queue exception. strategy name: {}, ex: {}", "RebalanceImpl", (V5_1, V5_3)),
    ),
)
NOT_LISTED = client_line(
    "AbstractAllocateMessageQueueStrategy",
    "own id not listed. The client's id is not in the cidAll that it got, so it takes no queues",
    "[BUG] ConsumerGroup: {} The consumerId: {} not in cidAll: {}",
)
STILL_CONSUMING = Line(
    Logs.CLIENT,
    "listener still running. A listener ran when its queue was taken away. The ProcessQueue stays, marked as dropped",
    (
        Wording(
            "[WRONG]mq is consuming, so can not unlock it, {}. maybe hanged for a while, {}",
            "RebalancePushImpl",
            (V4, V5_1),
        ),
    ),
)
UNLOCKS_LATER = Line(
    Logs.CLIENT,
    "unlock delayed. Messages were cached when the queue was taken away. The client releases the lock 20 s later, at "
    "the second line",
    (
        Wording("[{}]unlockDelay, begin {}", "RebalancePushImpl", (V4, V5_1)),
        Wording("[{}]unlockDelay, execute at once {}", "RebalancePushImpl", (V4, V5_1)),
    ),
)
NO_OFFSET = client_line(
    "RemoteBrokerOffsetStore",
    "offset query failed. The query for the committed offset failed",
    "fetchConsumeOffsetFromBroker exception, ",
)
NOT_COMMITTED = client_line(
    "RemoteBrokerOffsetStore",
    "commit failed. The client could not send an offset",
    "updateConsumeOffsetToBroker exception, ",
)
ILLEGAL = Line(
    Logs.CLIENT,
    "illegal offset. The broker does not have the offset that the client asked for, and the client takes the one that "
    "the broker proposes. The ProcessQueue leaves the table, and the next rebalance creates another",
    (
        Wording("the pull request offset illegal, {} {}", "DefaultMQPushConsumerImpl"),
        Wording("fix the pull request offset, {}", "DefaultMQPushConsumerImpl"),
        Wording("Fix Offset, {}, remove unnecessary mq, {} Droped: {}", "RebalanceImpl"),
    ),
)
PULL_FAILED = Line(
    Logs.CLIENT,
    "pull failed. A pull was refused or failed; the exception gives the reason. The client retries after 1 s by "
    "default (3 s up to 4.5)",
    (
        Wording("execute the pull request exception", "DefaultMQPushConsumerImpl"),
        Wording(
            "the subscription is not latest, group={}, messageQueue={}",
            "DefaultMQPushConsumerImpl",
            (V5_3,),
        ),
    ),
)
HEARTBEAT_NOT_SENT = Line(
    Logs.CLIENT,
    "heartbeat skipped. Another heartbeat of the process was running. In the thread RebalanceService, the skipped "
    "heartbeat is the one with a new subscription version",
    (
        Wording("lock heartBeat, but failed. [{}]", "MQClientInstance"),
        Wording(
            "sendHeartbeatToAllBrokerWithLockV2 lock heartBeat, but failed.",
            "MQClientInstance",
            (V5_1, V5_3),
        ),
    ),
)
STARTED = client_line(
    "DefaultMQPushConsumerImpl",
    "consumer started. The client instance of the consumer runs; its start() can still throw after this line",
    "the consumer [{}] start OK.",
)
PULL_WAITS = client_line(
    "DefaultMQPushConsumerImpl",
    "waiting for the lock. The ProcessQueue of an ordered queue is not yet marked as locked, so the client pulls later",
    "pull message later because not locked in broker, {}",
)
NOT_COUNTED = client_line(
    "ConsumeMessageConcurrentlyService",
    "result discarded. Messages were consumed but not counted, because the queue had been taken away. The next owner "
    "consumes them again",
    "processQueue is dropped without process consume result. messageQueue={}, msgs={}",
)
LOCK_EXPIRED = client_line(
    "ConsumeMessageOrderlyService",
    "lock too old. The lock was not renewed for 30 s, so no listener starts",
    "the message queue lock expired, so consume later, {}",
)
NOT_LOCKED = client_line(
    "ConsumeMessageOrderlyService",
    "queue not locked. The ProcessQueue is not locked, so no listener starts",
    "the message queue not locked, so consume later, {}",
)
DROPPED = client_line(
    "ConsumeMessageOrderlyService",
    "queue dropped. The ProcessQueue of an ordered queue is marked as dropped, so no listener starts",
    "the message queue not be able to consume, because it's dropped. {}",
    "run, the message queue not be able to consume, because it's dropped. {}",
    "consumeMessage, the message queue not be able to consume, because it's dropped. {}",
)
NOT_BEGUN = client_line(
    "ConsumeMessageConcurrentlyService",
    "listener not called. The queue was taken away before the listener got its pulled messages. The next owner gets "
    "them",
    "the message queue not be able to consume, because it's dropped. group={} {}",
)
SUSPENDED = client_line(
    "DefaultMQPushConsumerImpl",
    "consumer suspended. suspend() was called, or a reset of offsets began. The consumer neither pulls nor rebalances "
    "until resume()",
    "suspend this consumer, {}",
)
PAUSED = client_line(
    "DefaultMQPushConsumerImpl",
    "pull paused. The consumer is suspended, and each of its queues tries again a second later",
    "consumer was paused, execute pull request later. instanceName={}, group={}",
)
NOTIFIED = client_line(
    "ClientRemotingProcessor",
    "notification received. The broker notified this client of a change of the group",
    "receive broker's notification[{}], the consumer group: {} changed, rebalance immediately",
)

WENT_BACK = _broker(
    "ConsumerOffsetManager",
    "offset rollback. The broker accepted a commit below the committed offset. The line has the client's address",
    "[NOTIFYME]update consumer offset less than store. "
    "clientHost={}, key={}, queueId={}, requestOffset={}, storeOffset={}",
)
RESET = _broker(
    "Broker2Client",
    "offset reset. The broker asked a consumer to reset its offsets, on someone's request",
    "[reset-offset] reset offset success. topic={}, group={}, clientId={}",
)
EXPIRED_CHANNEL = _broker(
    "ConsumerManager",
    "channel expired. The broker got no heartbeat from a consumer for two minutes",
    "SCAN: remove expired channel from ConsumerManager consumerTable. channel={}, consumerGroup={}",
)
CLOSED_CHANNEL = _broker(
    "ConsumerGroupInfo",
    "connection closed. The connection of a consumer was closed",
    "NETTY EVENT: remove not active channel[{}] from ConsumerGroupInfo groupChannelTable, consumer group: {}",
)
CONNECTED = _broker(
    "ConsumerGroupInfo",
    "consumer connected. The broker registered a new connection of a consumer",
    "new consumer connected, group: {} {} {} channel: {}",
)
TOPICS_CHANGED = _broker(
    "ConsumerGroupInfo",
    "topics replaced. A heartbeat replaced the topics of the whole group. It recurs if members subscribe to different "
    "topics",
    "subscription changed, group: {} remove topic {} {}",
    "subscription changed, add new topic, group: {} {}",
)
TAGS_CHANGED = _broker(
    "ConsumerGroupInfo",
    "subscription replaced. A heartbeat had a newer subscription of a topic, which now applies to the whole group",
    "subscription changed, group: {} OLD: {} NEW: {}",
)
NOT_SUBSCRIBED = _broker(
    "PullMessageProcessor",
    "topic not subscribed. The broker refused a pull, because the group does not subscribe to the topic according to "
    "the last heartbeat",
    "the consumer's subscription not exist, group: {}, topic:{}",
)
NO_GROUP = _broker(
    "PullMessageProcessor",
    "group unknown. The broker refused a pull, because it has no consumer of the group until the next heartbeat, as "
    "after its restart",
    "the consumer's group info not exist, group: {}",
)
NOT_LATEST = _broker(
    "PullMessageProcessor",
    "subscription outdated. The broker refused a pull, because the client's subscription is newer than the broker's "
    "until its heartbeat arrives",
    "The broker's subscription is not latest, group: {} {}",
)
LOCKED_BY_OTHER = _locks(
    "locked by another client. A client asked for a lock that another client holds; the line names both",
    "tryLockBatch, message queue locked by other client. Group: {} OtherClientId: {} NewClientId: {} {}",
    "RebalanceLockManager#tryLockBatch: message queue has been locked by other client, group={}, mq={}, "
    "locked client id={}, current client id={}",
)
LOCK_RAN_OUT = _locks(
    "expired lock taken over. A client got a lock that had not been renewed for 60 s. The line names the former "
    "holder, which can be the same client",
    "tryLockBatch, message queue lock expired, I got it. Group: {} OldClientId: {} NewClientId: {} {}",
    "RebalanceLockManager#tryLockBatch: try to lock a expired message queue, group={}, mq={}, "
    "old client id={}, new client id={}",
)
UNLOCKED = _locks(
    "lock released. A client released a lock",
    "unlockBatch, Group: {} {} {}",
    "RebalanceLockManager#unlockBatch: unlock mq, group={}, clientId={}, mqs={}",
)
