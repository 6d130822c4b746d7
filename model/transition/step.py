"""One round's effect on one queue, as terms.

All other queues matter only by what they throw: an exception that leaves the client's method ends its loops before
the turn of this queue comes (``Thrown``). Everything else is a function of the queue's own entry and answers.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import z3

from rebalance_proofs.model.client.effects import PULL_REQUEST, Effect
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms.truth import NO, YES

PULL_IDLE_LIMIT = 120_000
"""A pull is overdue when it is older than so many ms."""
UNLOCK_DELAY = 20_000
"""``rocketmq.client.unlockDelayTimeMills`` as shipped, in ms."""


@dataclass(frozen=True)
class Entry:
    """A queue's entry in ``processQueueTable``."""

    present: z3.BoolRef
    dropped: z3.BoolRef
    locked: z3.BoolRef
    pull_age: z3.ArithRef
    lock_age: z3.ArithRef
    consume_lock: z3.ArithRef
    cached: z3.BoolRef
    tries: z3.ArithRef
    """``tryUnlockTimes``."""
    memory: z3.ArithRef
    """The queue's offset in the client's memory, whether there is an entry or not; ``NO_OFFSET`` for none."""
    fresh: z3.BoolRef = NO
    """Whether it is another ``ProcessQueue`` than the one at the start."""


@dataclass(frozen=True)
class Asked:
    """A round's inputs for the queue: mqSet, answers, and the consumer's settings."""

    mine: z3.BoolRef
    static: z3.BoolRef
    in_set: z3.BoolRef
    lock: z3.ArithRef
    stored: z3.ArithRef
    queried: z3.ArithRef
    persist: z3.ArithRef
    kind: z3.ArithRef
    order: z3.BoolRef
    orderly: z3.BoolRef
    broadcasting: z3.BoolRef
    own_store: z3.BoolRef
    where: z3.ArithRef
    retry: z3.BoolRef
    unlock_delay: z3.ArithRef | int = UNLOCK_DELAY
    """The consumer's ``unlockDelayTimeMills``."""


@dataclass(frozen=True)
class Thrown:
    """Whether an exception at another queue has left the client's method."""

    removing: z3.BoolRef
    """Before the queue's turn to be removed."""
    adding: z3.BoolRef
    """Before its turn to be added."""
    ever: z3.BoolRef
    """In the whole round, by any queue."""


NOTHING_THROWN = Thrown(NO, NO, NO)


@dataclass(frozen=True)
class Slot:
    """A place in the client's program where an effect can happen. Slots stand in the program's order."""

    happens: z3.BoolRef
    name: str
    details: tuple[Any, ...] = ()
    """Constants, or terms where the value depends on the answers."""

    def effect(self, queue: MessageQueue, value: Callable[[z3.ExprRef], Any]) -> Effect:
        """The effect, of that queue; ``value`` evaluates a term."""
        return (self.name, queue, *(value(part) if z3.is_expr(part) else part for part in self.details))


@dataclass(frozen=True)
class Step:
    """A round's outcome for the queue."""

    removal: tuple[Slot, ...]
    """The places in the program at which the queue's entry is taken away, in order."""
    addition: tuple[Slot, ...]
    """The places at which a new entry is made, behind those."""
    after: Entry
    """The queue's entry after the round."""
    former: Entry
    """The entry that was there before the round, as it is afterwards, in the table or not."""
    out: z3.BoolRef = NO
    """The former entry has left the table."""
    entered: z3.BoolRef = NO
    """A new entry has come into the table."""
    changed: z3.BoolRef = NO
    """The queue makes the client report a change."""
    denied: z3.BoolRef = NO
    """The queue's lock was denied, for which some clients ask for another rebalance soon."""
    removing_throws: z3.BoolRef = NO
    adding_throws: z3.BoolRef = NO
    """An exception leaves the client's method when the queue is removed, or when it is added."""

    @property
    def begin(self) -> z3.ArithRef:
        """The offset at which a new entry begins to pull; meaningless unless ``entered``."""
        (asked,) = (slot for slot in self.addition if slot.name == PULL_REQUEST)
        begin: z3.ArithRef = asked.details[0]
        return begin

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All places, in the program's order."""
        return self.removal + self.addition


@dataclass(frozen=True)
class Removal:
    """The outcome of the round's first part, for the entry that is there."""

    slots: list[Slot]
    former: Entry
    """The entry afterwards, in the table or not."""
    out: z3.BoolRef
    throws: z3.BoolRef


@dataclass(frozen=True)
class Addition:
    """The outcome of the round's second part: whether a new entry comes."""

    slots: list[Slot]
    new: Entry
    entered: z3.BoolRef
    denied: z3.BoolRef = NO
    throws: z3.BoolRef = NO


def joined(removal: Removal, addition: Addition) -> Step:
    """The step of both parts: a new entry stands in the table, or the former one where that has not left.

    The offset in memory is the queue's, whichever entry it has.
    """
    stays = z3.And(removal.former.present, z3.Not(removal.out))
    gone = replace(removal.former, present=stays, memory=addition.new.memory)
    return Step(
        removal=tuple(removal.slots),
        addition=tuple(addition.slots),
        after=choose(addition.entered, addition.new, gone),
        former=removal.former,
        out=removal.out,
        entered=addition.entered,
        changed=z3.Or(removal.out, addition.entered),
        denied=addition.denied,
        removing_throws=removal.throws,
        adding_throws=addition.throws,
    )


def happens(slots: Iterable[Slot], name: str, *details: Any) -> z3.BoolRef:
    """Whether an effect of that name happens at one of the places, with these details; with any, if none are given."""
    return z3.Or([slot.happens for slot in slots if slot.name == name and (not details or slot.details == details)])


@dataclass(frozen=True)
class Batch:
    """The circumstances of a queue in a call that asks a broker for the locks of all its queues at once."""

    found: z3.BoolRef
    """An earlier queue of the call is on the same broker and not of a static topic."""
    fails: z3.BoolRef
    """The call fails."""


@dataclass(frozen=True)
class TransitionEncoding:
    """A client's transition as terms."""

    step: Callable[[Entry, Asked, Thrown], Step]
    possible: Callable[[Thrown, z3.BoolRef], z3.BoolRef]
    """``possible(thrown, own_store)``: whether other queues can throw so, with or without a store of the user's own."""
    unsubscribe: Callable[[Entry], Step]
    """The step of a queue whose topic is not subscribed any more."""
    renew: Callable[[Entry, Asked, Batch], Step]
    """The step of a queue when all locks are renewed (``lockAll``)."""


def choose(condition: z3.BoolRef, then: Entry, otherwise: Entry) -> Entry:
    """``then`` where the condition holds, else ``otherwise``."""
    parts = vars(then)
    return Entry(**{name: z3.If(condition, parts[name], getattr(otherwise, name)) for name in parts})


def new_entry(memory: z3.ArithRef, *, locked: bool) -> Entry:
    """The entry as a client creates it."""
    zero = z3.IntVal(0)
    return Entry(
        present=YES,
        dropped=NO,
        locked=z3.BoolVal(locked),
        pull_age=zero,
        lock_age=zero,
        consume_lock=zero,
        cached=NO,
        tries=zero,
        memory=memory,
        fresh=YES,
    )
