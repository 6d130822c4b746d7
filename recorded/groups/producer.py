"""Events of the producer: messages that it sent, and changes of its topics."""

from dataclasses import dataclass

from rebalance_proofs.recorded.groups.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class ProducerStarted(Event):
    """The producer can send."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SendingEnded(Event):
    """The producer sends nothing more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic(Event):
    """A topic has been made, or has more queues now."""

    topic: str
    queues: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Queues(Event):
    """The producer's queues of a topic have changed."""

    topic: str
    queues: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteFailed(Event):
    """The producer got no route of a topic."""

    topic: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent(Event):
    """A message is stored."""

    q: str
    offset: int
    key: str
    tag: str
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SendFailed(Event):
    """A message was not stored, as far as the producer knows."""

    q: str
    key: str
    error: str
