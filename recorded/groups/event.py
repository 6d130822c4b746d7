"""Base class of all recorded events, with their common fields."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rebalance_proofs.recorded.groups.record import Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event that one process recorded."""

    at: int
    """Milliseconds since the driver's first event; all processes of a run share one clock."""
    who: str
    """Name of the process: ``driver``, ``p`` (the producer), a broker, or a consumer."""
    n: int | None = None
    """Number of events that this process wrote before; it restarts at 0 with the process.

    The driver's events have no number. The time is taken before the line is written, so of two threads the later one
    may write first.
    """
    row: int = field(default=0, compare=False, repr=False)
    """Line number in the process's file, from 1; 0 for an event that was not read from a file."""


# Recorded events of any process that runs RocketMQ.


@dataclass(frozen=True, slots=True, kw_only=True)
class Release(Event):
    """Event: the release of RocketMQ that the process runs."""

    rocketmq: str
    """Name of the release in RocketMQ's ``MQVersion``, such as ``V5_3_3``."""
    java: str
    """Version of Java, such as ``17.0.15``."""

    @property
    def number(self) -> str:
        """Number of the release, such as ``5.3.3``."""
        return self.rocketmq.removeprefix("V").partition("_SNAPSHOT")[0].replace("_", ".")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cannot(Event):
    """Event: some events cannot be recorded with this release, so their absence is no evidence."""

    what: tuple[str, ...]
    """Names of events that cannot be recorded; ``table offset`` for changes of broker offsets."""
    why: str


# Recorded events of a producer: messages that it sent, and changes of its topics.


@dataclass(frozen=True, slots=True, kw_only=True)
class ProducerStarted(Event):
    """Event: the producer can send messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SendingEnded(Event):
    """Event: the producer has stopped sending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic(Event):
    """Event: a topic was created, or has more queues now."""

    topic: str
    queues: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Queues(Event):
    """Event: the producer's list of a topic's queues has changed."""

    topic: str
    queues: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteFailed(Event):
    """Event: the producer received no route for a topic."""

    topic: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent(Event):
    """Event: a message was sent, and the broker stored it."""

    q: str
    offset: int
    key: str
    tag: str
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SendFailed(Event):
    """Event: sending failed; the broker may still have stored the message."""

    q: str
    key: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetAsked(Event):
    """Event: all brokers of a topic were asked to reset a group's offsets."""

    group: str
    topic: str
    timestamp: int
    failed: tuple[str, ...]
    """Errors of brokers that refused, each after the broker's name."""


# Fields of recorded requests and responses.

COMMIT_OFFSET, SUBSCRIPTION = 1, 4
"""Bits of a pull's ``sysFlag``: it commits an offset, or it contains a subscription."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupData:
    """The part of a heartbeat about one group (``ConsumerData``)."""

    group: str
    subs: Mapping[str, str]
    """Topic -> ``subString@subVersion``; empty if the heartbeat omits subscriptions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Fields of a request; None for fields that requests with this code do not have."""

    q: str | None = None
    """The queue of a request: ``topic:queueId``, or only a topic."""
    consumer_group: str | None = None
    client_id: str | None = None
    queues: tuple[str, ...] = ()
    """Queues to lock or unlock: ``topic:brokerName:queueId``."""
    groups: tuple[GroupData, ...] | None = None
    """Groups in a heartbeat; from 5.1 on (``useHeartbeatV2``) they may have no subscriptions."""
    queue_offset: Number | None = None
    commit_offset: Number | None = None
    sys_flag: Number | None = None
    sub_version: Number | None = None
    subscription: str | None = None
    timestamp: Number | None = None
    group: str | None = None
    origin_topic: str | None = None
    delay_level: Number | None = None
    offset: Number | None = None
    a: str | None = None
    b: str | None = None
    unread: str | None = None
    """Reason why the other fields of the request could not be recorded."""

    @property
    def commits(self) -> bool:
        """True if a pull commits an offset (``PullSysFlag.FLAG_COMMIT_OFFSET``)."""
        return bool(int(self.sys_flag or 0) & COMMIT_OFFSET)

    @property
    def has_subscription(self) -> bool:
        """True if a pull contains its subscription expression (``PullSysFlag.FLAG_SUBSCRIPTION``)."""
        return bool(int(self.sys_flag or 0) & SUBSCRIPTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """Fields of a response; None for fields that such responses do not have."""

    code: int | None
    """``ResponseCode``: 0 is SUCCESS, 25 SUBSCRIPTION_NOT_LATEST; None if there was no response."""
    remark: str | None = None
    """The broker's message about a code that is not 0."""
    ids: tuple[str, ...] | None = None
    """Client ids, in responses to GET_CONSUMER_LIST_BY_GROUP."""
    granted: tuple[str, ...] | None = None
    """Queues, in responses to LOCK_BATCH_MQ."""
    offset: Number | None = None
    next_begin_offset: Number | None = None
    min_offset: Number | None = None
    max_offset: Number | None = None
    unread: str | None = None


# RocketMQ's names in recordings: requests (``RequestCode``), threads, and results of pulls.

BEAT, BYE = "HEART_BEAT", "UNREGISTER_CLIENT"
LIST = "GET_CONSUMER_LIST_BY_GROUP"
LOCK, UNLOCK = "LOCK_BATCH_MQ", "UNLOCK_BATCH_MQ"
PULL = "PULL_MESSAGE"
QUERY, UPDATE = "QUERY_CONSUMER_OFFSET", "UPDATE_CONSUMER_OFFSET"
RESET, TO_CLIENT = "INVOKE_BROKER_TO_RESET_OFFSET", "CODE_220"
"""Requests to a broker, and from a broker to a client (RESET_CONSUMER_CLIENT_OFFSET), to reset offsets.

Older recordings have the latter as a request that the client asks.
"""
ENDS, SEARCHES = "GET_MAX_OFFSET", "SEARCH_OFFSET_BY_TIMESTAMP"
PULLING, REBALANCING = "PullMessageService", "RebalanceService"
"""Names of a client's threads that send pulls, and that rebalance."""
ILLEGAL = "OFFSET_ILLEGAL"
"""``PullStatus`` of a pull from an offset that the queue does not have."""
