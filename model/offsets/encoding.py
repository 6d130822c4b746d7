"""What can happen to one queue and one message in it, of one consumer and the broker: the actions by name."""

from collections.abc import Callable
from dataclasses import dataclass, fields

from rebalance_proofs.model.offsets.state import Said, State, Turn
from rebalance_proofs.model.transition.step import Asked, Entry, Step, Thrown

__all__ = ["Act", "ByLoop", "Concurrently", "Java", "OffsetsEncoding", "Orderly", "Rebalance", "acts"]

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
    """It returns, and the message is consumed, or given back to the broker to be retried. In Java, where the entry is
    not dropped, the message is taken out of it, and the first offset that is left is about to be recorded."""
    ends_late: Act
    """The same of a call for an entry that has left the table: in Java nothing is recorded."""
    fails: Act
    """It returns, and the message can neither be counted as consumed nor given back: it stays, to be tried later."""
    others: Act
    """It returns from others, and the first offset that is left is recorded, or about to be."""
    empty: Act
    """A pull has found nothing, and the entry has no messages: so is its next offset."""
    sends: Act
    """The memory's offset is sent to the broker: every five seconds, and with pulls."""
    commits: Act
    """A commit arrives at the broker."""
    revokes: Act
    """A rebalance takes the entry away: it is not the consumer's any more, or no message was pulled for too long."""
    forgets: Act
    """``persistAll`` removes the offset of a queue that had no entry when it was told which ones have."""
    shuts: Act
    """The consumer is shut down: offsets are sent, and, in Java, the table is emptied."""
    crashes: Act
    """The consumer's process ends at once."""


@dataclass(frozen=True, kw_only=True)
class Java(OffsetsEncoding):
    """Of a Java client."""

    arrives: Act
    """The message is put into the queue, as its last one."""
    records: Act
    """What is about to be recorded is put into the memory, unless that has more."""
    marks: Act
    """A rebalance marks the entry. Up to 4.9 it removes it next; from 5.0 on, when all that have to go are marked."""
    copies: Act
    """``persistConsumerOffset`` copies the table's queues, and ``persistAll`` begins, in the timer's thread."""
    finishes: Act
    """It is over, or through with the queue."""
    suspends: Act
    """A reset of the queue's offset begins: the consumer is suspended, the entry marked and emptied."""
    rewinds: Act
    """Ten seconds later, its offset is put into the memory."""
    retires: Act
    """The offset in memory is sent, and the entry goes."""
    unsubscribes: Act
    """The topic is not subscribed any more: the entry goes, and no more."""
    interrupts: Act
    """shutdown() has waited as long as it is told to, and interrupts the threads of its listeners."""
    returns_interrupted: Act
    """The listener returns with its thread's interrupt status set: nothing is noted just then."""


@dataclass(frozen=True, kw_only=True)
class Concurrently(Java):
    """With a concurrent listener."""

    cleans: Act
    """The message has been with the listener for too long: it is given back to be retried, and taken out."""
    replicates: Act
    """A replica of the broker is told what is committed."""
    swaps: Act
    """The replica takes the broker's place."""


@dataclass(frozen=True, kw_only=True)
class ByLoop(OffsetsEncoding):
    """One loop goes through all messages, batch by batch, and does not look at whether an entry has left the table.

    Actions of such an entry are those that end with ``_late``.
    """

    notes: Act
    """All of the batch have returned: its messages are taken out, and the first offset that is left is put into the
    memory, unless that has more."""
    skips: Act
    """The consumer is being shut down: the message is taken out, and noted, without a call."""
    pulls_late: Act
    """A pull that was under way when the entry left has found the message."""
    passes_late: Act
    """It has found others."""
    empty_late: Act
    """It has found nothing, and there are no messages."""
    starts_late: Act
    fails_late: Act
    others_late: Act
    notes_late: Act
    skips_late: Act
    clears: Act
    """The consumer that is being shut down has sent its offsets: the table is emptied."""


@dataclass(frozen=True, kw_only=True)
class Orderly(Java):
    """With an ordered listener, whose batches are consumed one after the other."""

    fixes: Act
    """The first pull of an entry that has the lock asks for the offset once more, and hears the answer."""
    overtaken: Act
    """It hears the answer when its entry has gone: what was committed then comes into the memory."""
    notes: Act
    """What the listener has returned from is put into the memory."""
    others_fail: Act
    """The listener asks for a batch behind the message again: all that was taken is put back, the message, too."""


def acts(encoding: OffsetsEncoding) -> dict[str, Act]:
    """All that can happen, by name."""
    return {field.name: getattr(encoding, field.name) for field in fields(encoding) if field.name != "step"}
