"""Fields of recorded requests and responses."""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.recorded.groups.record import Number

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
