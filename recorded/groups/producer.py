"""Recorded events of a producer: messages that it sent, and changes of its topics."""

from dataclasses import dataclass

from rebalance_proofs.recorded.groups.event import Event


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
