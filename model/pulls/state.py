"""The state of one queue and its pull requests at one consumer, as terms."""

from dataclasses import dataclass

import z3

from rebalance_proofs.model.terms.truth import NO

__all__ = ["Consumer", "Said", "State", "Turn", "nothing"]


@dataclass(frozen=True)
class Consumer:
    """What a consumer has of the queue. An entry's numbers are 0 where the table has none.

    A pull request waits from when it is given to ``PullMessageService``, for later or not, until its turn has come.
    """

    present: z3.BoolRef
    """The queue has an entry in ``processQueueTable``."""
    dropped: z3.BoolRef
    age: z3.ArithRef
    """ms since the entry's last pull began; since it was made, where none has."""
    kept: z3.ArithRef
    """How many those were when a rebalance last left the entry as it was. For claims alone."""
    waiting: z3.ArithRef
    """How many pull requests of the entry wait."""
    pulling: z3.ArithRef
    """How many are under way to the broker and back."""
    asking: z3.ArithRef
    """How many are held by ``pullMessage``, which has found the entry unmarked, and asks for the offset at which the
    first pull of an ordered queue begins: one or none."""
    repairing: z3.ArithRef
    """How many tasks there are that repair its offset."""
    fixed: z3.BoolRef
    """That was answered (``isPreviouslyLocked``): no other pull of the entry asks for it."""
    old_waiting: z3.ArithRef
    """As many requests wait whose entries have left the table."""
    old_pulling: z3.ArithRef
    """As many of them are under way."""
    old_asking: z3.ArithRef
    """One of them is held so, or none."""
    old_repairing: z3.ArithRef
    """As many tasks there are of such entries."""
    unmarked: z3.BoolRef
    """Where there is one alone: its entry is not marked as dropped."""
    ended: z3.BoolRef
    """The thread of ``PullMessageService`` has ended."""
    suspended: z3.BoolRef
    """``suspend`` was called, and ``resume`` was not called since."""
    late: z3.BoolRef
    """A pull has begun whose entry had left the table. For claims alone, like what follows."""
    hit: z3.BoolRef
    """A task has taken an entry out that it was not about."""
    wrote: z3.BoolRef
    """A task has written an offset when the entry that it was about had left the table."""
    cut: z3.BoolRef
    """A rebalance has taken a live entry for one that is not pulled, while a request of it was there."""
    begun: z3.BoolRef
    """A pull has begun whose request was taken while the consumer was suspended."""
    stale: z3.BoolRef
    """A rebalance has left an entry live whose queue is another consumer's."""


@dataclass(frozen=True)
class State:
    """What a consumer's action depends on."""

    me: Consumer
    limit: z3.ArithRef
    """``pullMaxIdleTime``: an entry that has not pulled for more ms is taken away."""


@dataclass(frozen=True)
class Said:
    """What an action leaves open."""

    old: z3.BoolRef
    """It is about an entry that has left the table."""
    later: z3.BoolRef
    """The pull is put off: flow control, not locked, no subscription, or it could not be sent."""
    in_set: z3.BoolRef
    """The queue is still in mqSet."""
    stays: z3.BoolRef
    """The entry is marked, and cannot be taken out yet: the listener of an ordered consumer runs."""
    silent: z3.BoolRef
    """The offset at which the queue would begin is not known."""
    span: z3.ArithRef
    """ms."""


@dataclass(frozen=True)
class Turn:
    """One action."""

    can: z3.BoolRef
    """It is possible."""
    after: State


def nothing() -> Consumer:
    """A consumer that has nothing to do with the queue yet."""
    zero = z3.IntVal(0)
    return Consumer(
        present=NO,
        dropped=NO,
        age=zero,
        kept=zero,
        waiting=zero,
        pulling=zero,
        asking=zero,
        repairing=zero,
        fixed=NO,
        old_waiting=zero,
        old_pulling=zero,
        old_asking=zero,
        old_repairing=zero,
        unmarked=NO,
        ended=NO,
        suspended=NO,
        late=NO,
        hit=NO,
        wrote=NO,
        cut=NO,
        begun=NO,
        stale=NO,
    )
