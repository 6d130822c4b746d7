"""Requests and responses, as far as they are recorded."""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.recorded.groups.record import Number


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupData:
    """What a heartbeat says of one group (``ConsumerData``)."""

    group: str
    subs: Mapping[str, str]
    """Topic -> ``subString@subVersion``; empty where the heartbeat leaves them out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a request says; None for what requests of its code do not say."""

    q: str | None = None
    """``topic:queueId``, or a topic alone."""
    consumer_group: str | None = None
    client_id: str | None = None
    queues: tuple[str, ...] = ()
    """What is to be locked or unlocked, ``topic:brokerName:queueId``."""
    groups: tuple[GroupData, ...] | None = None
    """Of a heartbeat. From 5.1 on (``useHeartbeatV2``) it can come without subscriptions."""
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
    """Why the rest of the request could not be recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What a response says; None for what responses to such a request do not say."""

    code: int | None
    """``ResponseCode``: 0 is SUCCESS, 25 SUBSCRIPTION_NOT_LATEST; None: there was none."""
    remark: str | None = None
    """What the broker says about a code that is not 0."""
    ids: tuple[str, ...] | None = None
    """Client ids, to GET_CONSUMER_LIST_BY_GROUP."""
    granted: tuple[str, ...] | None = None
    """Queues, to LOCK_BATCH_MQ."""
    offset: Number | None = None
    next_begin_offset: Number | None = None
    min_offset: Number | None = None
    max_offset: Number | None = None
    unread: str | None = None
