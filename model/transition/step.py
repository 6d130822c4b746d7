"""One round's effect on one queue, as terms.

All other queues matter only by what they throw: an exception that leaves the client's method ends its loops before
the turn of this queue comes (``Thrown``). Everything else is a function of the queue's own entry and answers.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from rebalance_proofs.model.client.effects import PULL_REQUEST, Effect
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.truth import NO, YES

PULL_IDLE_LIMIT = 120_000
"""A pull is overdue when it is older than so many ms."""
UNLOCK_DELAY = 20_000
"""``rocketmq.client.unlockDelayTimeMills`` as shipped, in ms."""


@dataclass(frozen=True)
class Entry:
    """A queue's entry in ``processQueueTable``."""

    present: smt.BoolTerm
    dropped: smt.BoolTerm
    locked: smt.BoolTerm
    pull_age: smt.IntTerm
    lock_age: smt.IntTerm
    consume_lock: smt.IntTerm
    cached: smt.BoolTerm
    tries: smt.IntTerm
    """``tryUnlockTimes``."""
    memory: smt.IntTerm
    """The queue's offset in the client's memory, whether there is an entry or not; ``NO_OFFSET`` for none."""
    fresh: smt.BoolTerm = NO
    """Whether it is another ``ProcessQueue`` than the one at the start."""


@dataclass(frozen=True)
class Asked:
    """A round's inputs for the queue: mqSet, answers, and the consumer's settings."""

    mine: smt.BoolTerm
    static: smt.BoolTerm
    in_set: smt.BoolTerm
    lock: smt.IntTerm
    stored: smt.IntTerm
    queried: smt.IntTerm
    persist: smt.IntTerm
    kind: smt.IntTerm
    order: smt.BoolTerm
    orderly: smt.BoolTerm
    broadcasting: smt.BoolTerm
    own_store: smt.BoolTerm
    where: smt.IntTerm
    retry: smt.BoolTerm
    unlock_delay: smt.IntTerm | int = UNLOCK_DELAY
    """The consumer's ``unlockDelayTimeMills``."""


@dataclass(frozen=True)
class Thrown:
    """Whether an exception at another queue has left the client's method."""

    removing: smt.BoolTerm
    """Before the queue's turn to be removed."""
    adding: smt.BoolTerm
    """Before its turn to be added."""
    ever: smt.BoolTerm
    """In the whole round, by any queue."""


NOTHING_THROWN = Thrown(NO, NO, NO)


@dataclass(frozen=True)
class Slot:
    """A place in the client's program where an effect can happen. Slots stand in the program's order."""

    happens: smt.BoolTerm
    name: str
    details: tuple[Any, ...] = ()
    """Constants, or terms where the value depends on the answers."""

    def effect(self, queue: MessageQueue, value: Callable[[smt.Term], Any]) -> Effect:
        """The effect, of that queue; ``value`` evaluates a term."""
        return (self.name, queue, *(value(part) if smt.is_expr(part) else part for part in self.details))


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
    out: smt.BoolTerm = NO
    """The former entry has left the table."""
    entered: smt.BoolTerm = NO
    """A new entry has come into the table."""
    changed: smt.BoolTerm = NO
    """The queue makes the client report a change."""
    denied: smt.BoolTerm = NO
    """The queue's lock was denied, for which some clients ask for another rebalance soon."""
    removing_throws: smt.BoolTerm = NO
    adding_throws: smt.BoolTerm = NO
    """An exception leaves the client's method when the queue is removed, or when it is added."""

    @property
    def begin(self) -> smt.IntTerm:
        """The offset at which a new entry begins to pull; meaningless unless ``entered``."""
        (asked,) = (slot for slot in self.addition if slot.name == PULL_REQUEST)
        begin: smt.IntTerm = asked.details[0]
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
    out: smt.BoolTerm
    throws: smt.BoolTerm


@dataclass(frozen=True)
class Addition:
    """The outcome of the round's second part: whether a new entry comes."""

    slots: list[Slot]
    new: Entry
    entered: smt.BoolTerm
    denied: smt.BoolTerm = NO
    throws: smt.BoolTerm = NO


def joined(removal: Removal, addition: Addition) -> Step:
    """The step of both parts: a new entry stands in the table, or the former one where that has not left.

    The offset in memory is the queue's, whichever entry it has.
    """
    stays = smt.And(removal.former.present, smt.Not(removal.out))
    gone = replace(removal.former, present=stays, memory=addition.new.memory)
    return Step(
        removal=tuple(removal.slots),
        addition=tuple(addition.slots),
        after=choose(addition.entered, addition.new, gone),
        former=removal.former,
        out=removal.out,
        entered=addition.entered,
        changed=smt.Or(removal.out, addition.entered),
        denied=addition.denied,
        removing_throws=removal.throws,
        adding_throws=addition.throws,
    )


def happens(slots: Iterable[Slot], name: str, *details: Any) -> smt.BoolTerm:
    """Whether an effect of that name happens at one of the places, with these details; with any, if none are given."""
    return smt.Or([slot.happens for slot in slots if slot.name == name and (not details or slot.details == details)])


@dataclass(frozen=True)
class Batch:
    """The circumstances of a queue in a call that asks a broker for the locks of all its queues at once."""

    found: smt.BoolTerm
    """An earlier queue of the call is on the same broker and not of a static topic."""
    fails: smt.BoolTerm
    """The call fails."""


@dataclass(frozen=True)
class TransitionEncoding:
    """A client's transition as terms."""

    step: Callable[[Entry, Asked, Thrown], Step]
    possible: Callable[[Thrown, smt.BoolTerm], smt.BoolTerm]
    """``possible(thrown, own_store)``: whether other queues can throw so, with or without a store of the user's own."""
    unsubscribe: Callable[[Entry], Step]
    """The step of a queue whose topic is not subscribed any more."""
    renew: Callable[[Entry, Asked, Batch], Step]
    """The step of a queue when all locks are renewed (``lockAll``)."""


def choose(condition: smt.BoolTerm, then: Entry, otherwise: Entry) -> Entry:
    """``then`` where the condition holds, else ``otherwise``."""
    parts = vars(then)
    return Entry(**{name: smt.If(condition, parts[name], getattr(otherwise, name)) for name in parts})


def new_entry(memory: smt.IntTerm, *, locked: bool) -> Entry:
    """The entry as a client creates it."""
    zero = smt.IntVal(0)
    return Entry(
        present=YES,
        dropped=NO,
        locked=smt.BoolVal(locked),
        pull_age=zero,
        lock_age=zero,
        consume_lock=zero,
        cached=NO,
        tries=zero,
        memory=memory,
        fresh=YES,
    )
