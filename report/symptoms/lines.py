"""What clients and brokers log, word by word as their sources have it, and what it means there."""

import re
from dataclasses import dataclass
from enum import Enum

__all__ = ["Line", "Logs", "Wording", "found"]

V4, V5_1, V5_3 = "4.9.8", "5.1.4", "5.3.3"
ALL = (V4, V5_1, V5_3)
"""The releases whose sources were searched for each wording."""
HOLE = "{}"
"""Stands in a wording for what is put in."""
SHORTEST = 4
"""Letters: less than that is in too many lines."""


class Logs(Enum):
    """Whose log it is."""

    CLIENT = "client"
    BROKER = "broker"


@dataclass(frozen=True)
class Wording:
    """One form of it."""

    text: str
    """As the source has it, up to where values alone follow; ``{}`` for a value."""
    where: str
    """The class that logs it."""
    releases: tuple[str, ...] = ALL
    """In which it was read, of ``ALL``."""


@dataclass(frozen=True)
class Line:
    """One thing that is logged, in all its forms."""

    logs: Logs
    means: str
    wordings: tuple[Wording, ...]

    def of(self, release: str) -> tuple[Wording, ...]:
        """Those of the first release that was read and is not older; all where none is, or there is no such form."""
        last = next((one for one in ALL if release and _number(one) >= _number(release)), None)
        return tuple(one for one in self.wordings if last in one.releases) or self.wordings


def _number(release: str) -> tuple[int, ...]:
    """Of a release of Java's; another client's is beyond all of them."""
    return tuple(map(int, release.split("."))) if release[0].isdigit() else (99,)


def found(text: str, line: Line) -> bool:
    """A wording has the text in it, or is in it: a whole line of a log, with its values."""
    asked = _plain(text)
    return len(asked) >= SHORTEST and any(
        asked in _plain(one.text) or _logged(one.text, asked) for one in line.wordings
    )


def _logged(wording: str, asked: str) -> bool:
    parts = [re.escape(part) for part in _plain(wording).split(HOLE)]
    return bool(re.search(".*?".join(parts), asked))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _client(where: str, means: str, *texts: str) -> Line:
    return Line(Logs.CLIENT, means, tuple(Wording(text, where) for text in texts))


def _broker(where: str, means: str, *texts: str) -> Line:
    return Line(Logs.BROKER, means, tuple(Wording(text, where) for text in texts))


RESULT = "group={}, topic={}, clientId={}, mqAllSize={}, cidAllSize={}, rebalanceResultSize={}, rebalanceResultSet={}"

SHARE_CHANGED = Line(
    Logs.CLIENT,
    "the share that this client worked out has changed; mqAllSize and cidAllSize are what it saw",
    (
        Wording(f"rebalanced result changed. allocateMessageQueueStrategyName={{}}, {RESULT}", "RebalanceImpl", (V4,)),
        Wording(
            f"client rebalanced result changed. allocateMessageQueueStrategyName={{}}, {RESULT}",
            "RebalanceImpl",
            (V5_1, V5_3),
        ),
    ),
)
REMOVED = _client(
    "RebalanceImpl", "a queue was taken away from this client", "doRebalance, {}, remove unnecessary mq, {}"
)
ADDED = _client("RebalanceImpl", "a queue was given to this client", "doRebalance, {}, add a new mq, {}")
TRUNCATED = _client(
    "RebalanceImpl",
    "a queue was let go because its topic is not subscribed any more",
    "doRebalance, {}, truncateMessageQueueNotMyTopic remove unnecessary mq, {}",
)
LOCK_DENIED = _client(
    "RebalanceImpl",
    "the broker did not grant the lock of a queue that is to be added",
    "doRebalance, {}, add a new mq failed, {}, because lock failed",
)
NOT_RENEWED = _client(
    "RebalanceImpl", "the broker did not renew the lock of a queue", "the message queue locked Failed, Group: {} {}"
)
UNLOCKS = _client(
    "RebalanceImpl",
    "this client asked the broker to take a lock back",
    "unlock messageQueue. group:{}, clientId:{}, mq:{}",
)
NO_START = _client(
    "RebalanceImpl",
    "no offset was found at which the new entry of a queue could begin: it was not made",
    "doRebalance, {}, add new mq failed, {}",
    "doRebalance, {}, compute offset failed, {}",
)
NOT_PULLED = Line(
    Logs.CLIENT,
    "nothing was pulled for two minutes: the entry is taken away, to be made anew",
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
NO_IDS = _client(
    "RebalanceImpl",
    "the broker that was asked for cidAll gave none: the queues stay as they are",
    "doRebalance, {} {}, get consumer id list failed",
)
NO_ROUTE = _client(
    "RebalanceImpl",
    "the client has no route of the topic",
    "doRebalance, {}, but the topic[{}] not exist.",
)
STRATEGY_THROWS = Line(
    Logs.CLIENT,
    "the strategy threw: this client keeps the queues that it had",
    (
        Wording(
            "AllocateMessageQueueStrategy.allocate Exception. allocateMessageQueueStrategyName={}",
            "RebalanceImpl",
            (V4,),
        ),
        Wording("allocate message queue exception. strategy name: {}, ex: {}", "RebalanceImpl", (V5_1, V5_3)),
    ),
)
NOT_LISTED = _client(
    "AbstractAllocateMessageQueueStrategy",
    "the client's own id is not in the cidAll that it was given: it takes nothing",
    "[BUG] ConsumerGroup: {} The consumerId: {} not in cidAll: {}",
)
STILL_CONSUMING = Line(
    Logs.CLIENT,
    "a listener ran when its queue was taken away: the entry stays, marked as dropped",
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
    "messages were cached when the queue was taken away: its lock is given back 20 s later",
    (
        Wording("[{}]unlockDelay, begin {}", "RebalancePushImpl", (V4, V5_1)),
        Wording("[{}]unlockDelay, execute at once {}", "RebalancePushImpl", (V4, V5_1)),
    ),
)
NO_OFFSET = _client(
    "RemoteBrokerOffsetStore",
    "the query for the committed offset failed",
    "fetchConsumeOffsetFromBroker exception, ",
)
NOT_COMMITTED = _client(
    "RemoteBrokerOffsetStore", "an offset could not be sent", "updateConsumeOffsetToBroker exception, "
)
ILLEGAL = _client(
    "DefaultMQPushConsumerImpl",
    "the client asked for an offset that the broker does not have, and takes what the broker proposes",
    "the pull request offset illegal, {} {}",
    "fix the pull request offset, {}",
)
PULL_FAILED = Line(
    Logs.CLIENT,
    "a pull was refused, or failed; its exception says why; the next is 3 s later",
    (
        Wording("execute the pull request exception", "DefaultMQPushConsumerImpl"),
        Wording(
            "the subscription is not latest, group={}, messageQueue={}",
            "DefaultMQPushConsumerImpl",
            (V5_3,),
        ),
    ),
)
PULL_WAITS = _client(
    "DefaultMQPushConsumerImpl",
    "the entry of an ordered queue does not know of its lock yet",
    "pull message later because not locked in broker, {}",
)
NOT_COUNTED = _client(
    "ConsumeMessageConcurrentlyService",
    "messages were consumed, and not counted, because the queue had been taken away: its next owner gets them again",
    "processQueue is dropped without process consume result. messageQueue={}, msgs={}",
)
LOCK_EXPIRED = _client(
    "ConsumeMessageOrderlyService",
    "the lock was not renewed for 30 s: no listener begins",
    "the message queue lock expired, so consume later, {}",
)
NOT_LOCKED = _client(
    "ConsumeMessageOrderlyService",
    "the entry is not locked: no listener begins",
    "the message queue not locked, so consume later, {}",
)
DROPPED = _client(
    "ConsumeMessageOrderlyService",
    "the entry is marked as dropped: no listener begins",
    "the message queue not be able to consume, because it's dropped. {}",
)
NOTIFIED = _client(
    "ClientRemotingProcessor",
    "the broker told this client that the group has changed",
    "receive broker's notification[{}], the consumer group: {} changed, rebalance immediately",
)

WENT_BACK = _broker(
    "ConsumerOffsetManager",
    "a commit was lower than what was committed, and was taken all the same; it names the client",
    "[NOTIFYME]update consumer offset less than store. "
    "clientHost={}, key={}, queueId={}, requestOffset={}, storeOffset={}",
)
RESET = _broker(
    "Broker2Client",
    "a consumer was told to set its offsets anew, because somebody reset them",
    "[reset-offset] reset offset success. topic={}, group={}, clientId={}",
)
EXPIRED_CHANNEL = _broker(
    "ConsumerManager",
    "nothing was heard of a consumer for two minutes",
    "SCAN: remove expired channel from ConsumerManager consumerTable. channel={}, consumerGroup={}",
)
CLOSED_CHANNEL = _broker(
    "ConsumerGroupInfo",
    "the connection of a consumer was closed",
    "NETTY EVENT: remove not active channel[{}] from ConsumerGroupInfo groupChannelTable, consumer group: {}",
)
CONNECTED = _broker("ConsumerGroupInfo", "a consumer connected", "new consumer connected, group: {} {} {} channel: {}")
TOPICS_CHANGED = _broker(
    "ConsumerGroupInfo",
    "a heartbeat replaced the topics of the whole group; again and again where members subscribe to different ones",
    "subscription changed, group: {} remove topic {} {}",
    "subscription changed, add new topic, group: {} {}",
)
TAGS_CHANGED = _broker(
    "ConsumerGroupInfo",
    "a heartbeat had a newer subscription of a topic, which is the whole group's from now on",
    "subscription changed, group: {} OLD: {} NEW: {}",
)
NOT_SUBSCRIBED = _broker(
    "PullMessageProcessor",
    "a pull was refused: by the last heartbeat, the group does not subscribe to the topic",
    "the consumer's subscription not exist, group: {}, topic:{}",
)
NO_GROUP = _broker(
    "PullMessageProcessor",
    "a pull was refused: this broker has no consumer of the group, as after its restart, until the next heartbeat",
    "the consumer's group info not exist, group: {}",
)
NOT_LATEST = _broker(
    "PullMessageProcessor",
    "a pull was refused: the client's subscription is newer than the broker's, until its heartbeat arrives",
    "The broker's subscription is not latest, group: {} {}",
)
LOCKED_BY_OTHER = Line(
    Logs.BROKER,
    "a client asked for the lock that another one has; it names both",
    (
        Wording(
            "tryLockBatch, message queue locked by other client. Group: {} OtherClientId: {} NewClientId: {} {}",
            "RebalanceLockManager",
            (V4,),
        ),
        Wording(
            "RebalanceLockManager#tryLockBatch: message queue has been locked by other client, group={}, mq={}, "
            "locked client id={}, current client id={}",
            "RebalanceLockManager",
            (V5_1, V5_3),
        ),
    ),
)
LOCK_RAN_OUT = Line(
    Logs.BROKER,
    "a client got a lock that another one had not renewed for 60 s; it names both",
    (
        Wording(
            "tryLockBatch, message queue lock expired, I got it. Group: {} OldClientId: {} NewClientId: {} {}",
            "RebalanceLockManager",
            (V4,),
        ),
        Wording(
            "RebalanceLockManager#tryLockBatch: try to lock a expired message queue, group={}, mq={}, "
            "old client id={}, new client id={}",
            "RebalanceLockManager",
            (V5_1, V5_3),
        ),
    ),
)
UNLOCKED = Line(
    Logs.BROKER,
    "a client gave a lock back",
    (
        Wording("unlockBatch, Group: {} {} {}", "RebalanceLockManager", (V4,)),
        Wording(
            "RebalanceLockManager#unlockBatch: unlock mq, group={}, clientId={}, mqs={}",
            "RebalanceLockManager",
            (V5_1, V5_3),
        ),
    ),
)
