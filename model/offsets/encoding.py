"""What can happen to one queue and one message in it, of one consumer and the broker: the actions by name."""

from collections.abc import Callable
from dataclasses import dataclass, fields

from rebalance_proofs.model.offsets.state import Said, State, Turn
from rebalance_proofs.model.transition.step import Asked, Entry, Step, Thrown

__all__ = ["Act", "Concurrently", "OffsetsEncoding", "Orderly", "Rebalance", "acts"]

Rebalance = Callable[[Entry, Asked, Thrown], Step]
Act = Callable[[State, Said], Turn]


@dataclass(frozen=True, kw_only=True)
class OffsetsEncoding:
    """What one consumer can do with a queue, and the broker with its messages.

    ``ProcessQueue``'s tree has other messages besides the one that is looked at. They are the open numbers: where a
    pull ends, and what the first offset of the tree is.
    """

    step: Rebalance
    """The client's rebalance of one queue."""
    asks: Act
    """A rebalance finds the queue to be new, and asks for the offset that is committed; the broker answers, or not."""
    adds: Act
    """It hears that, and adds the queue, or has nowhere to begin."""
    pulls: Act
    """The message is pulled, with others; the answer may find the entry dropped."""
    passes: Act
    """Others are pulled, or none; not this one."""
    starts: Act
    """The listener is called with the message."""
    ends: Act
    """It returns, and the message is consumed, or given back to the broker to be retried. Where the entry is not
    dropped, the message is taken out of it, and the first offset that is left is about to be recorded."""
    ends_late: Act
    """The same of a call for an entry that has left the table: nothing is recorded."""
    fails: Act
    """It returns, and the message can neither be counted as consumed nor given back: it stays, to be tried later."""
    others: Act
    """It returns from another message, and the first offset that is left is about to be recorded."""
    empty: Act
    """A pull has found nothing, and the entry has no messages: its next offset is about to be recorded."""
    records: Act
    """What is about to be recorded is put into the memory, unless that has more."""
    sends: Act
    """The memory's offset is sent to the broker: every five seconds, and with pulls."""
    commits: Act
    """A commit arrives at the broker."""
    marks: Act
    """A rebalance marks the entry. Up to 4.9 it removes it next; from 5.0 on, when all that have to go are marked."""
    revokes: Act
    """A rebalance takes the entry away: it is not the consumer's any more, or no message was pulled for too long."""
    unsubscribes: Act
    """The topic is not subscribed any more: the entry goes, and no more."""
    forgets: Act
    """The offset of a queue without an entry is forgotten (``persistAll``)."""
    shuts: Act
    """The consumer is shut down: offsets are sent, and the table is emptied."""
    crashes: Act
    """The consumer's process ends at once."""


@dataclass(frozen=True, kw_only=True)
class Concurrently(OffsetsEncoding):
    """With a concurrent listener."""

    cleans: Act
    """The message has been with the listener for too long: it is given back to be retried, and taken out."""


@dataclass(frozen=True, kw_only=True)
class Orderly(OffsetsEncoding):
    """With an ordered listener, whose batches are consumed one after the other."""

    fixes: Act
    """The first pull of an entry that has the lock asks for the offset once more, and hears the answer."""
    overtaken: Act
    """It hears the answer when its entry has gone: what was committed then comes into the memory."""
    notes: Act
    """What the listener has returned from is put into the memory."""


def acts(encoding: OffsetsEncoding) -> dict[str, Act]:
    """All that can happen, by name."""
    return {field.name: getattr(encoding, field.name) for field in fields(encoding) if field.name != "step"}
