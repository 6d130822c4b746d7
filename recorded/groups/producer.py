"""Events of the producer: messages that it sent, and changes of its topics."""

from dataclasses import dataclass

from rebalance_proofs.recorded.groups.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class ProducerStarted(Event):
    """The producer can send messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SendingEnded(Event):
    """The producer has stopped sending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic(Event):
    """A topic was created, or has more queues now."""

    topic: str
    queues: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Queues(Event):
    """The producer's list of a topic's queues has changed."""

    topic: str
    queues: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteFailed(Event):
    """The producer received no route for a topic."""

    topic: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent(Event):
    """A message was stored."""

    q: str
    offset: int
    key: str
    tag: str
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SendFailed(Event):
    """Sending failed; the broker may have stored the message."""

    q: str
    key: str
    error: str
