"""Effect of one rebalance (a round) on one queue, as SMT terms.

Other queues matter only through their exceptions: an exception that leaves the client's method ends its loops before
this queue's turn (``Thrown``). All other effects depend only on the queue's process queue and answers.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from rebalance_proofs.model.client.effects import PULL_REQUEST, Effect
from rebalance_proofs.model.client.environment import OK
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import PUSH
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import NO, YES
from rebalance_proofs.model.transition.numbers import KINDS, LOCKS, PERSISTS, WHERES

PULL_IDLE_LIMIT = 120_000
"""Age in ms of the last pull after which a process queue counts as expired."""
UNLOCK_DELAY = 20_000
"""Default ``rocketmq.client.unlockDelayTimeMills``, in ms."""


@dataclass(frozen=True)
class Entry:
    """A process queue in ``processQueueTable``, and the queue's offset in memory, as SMT terms."""

    present: smt.BoolTerm
    dropped: smt.BoolTerm
    locked: smt.BoolTerm
    pull_age: smt.IntTerm
    lock_age: smt.IntTerm
    consume_lock: smt.IntTerm
    cached: smt.BoolTerm
    tries: smt.IntTerm
    """Number of failed attempts to unlock, ``tryUnlockTimes``."""
    memory: smt.IntTerm
    """The queue's offset in the client's memory, ``NO_OFFSET`` for none.

    It is there with or without a process queue.
    """
    fresh: smt.BoolTerm = NO
    """Whether it is another ``ProcessQueue`` object than before the first rebalance."""


@dataclass(frozen=True)
class Asked:
    """Inputs of a rebalance for one queue: mqSet, answers, and the consumer's settings."""

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
    """Whether an exception at another queue has ended the rebalance before a point in time."""

    removing: smt.BoolTerm
    """Before this queue can be removed."""
    adding: smt.BoolTerm
    """Before this queue can be added."""
    ever: smt.BoolTerm
    """At any time in this rebalance."""


NOTHING_THROWN = Thrown(NO, NO, NO)


@dataclass(frozen=True)
class Slot:
    """A possible effect of a rebalance on a queue, with the condition under which it happens.

    Slots are in the order of the client's program.
    """

    happens: smt.BoolTerm
    name: str
    details: tuple[Any, ...] = ()
    """Details of the effect: constants, or terms where the value depends on the answers."""

    def effect(self, queue: MessageQueue, value: Callable[[smt.Term], Any]) -> Effect:
        """Return the effect on that queue as Python code records it; ``value`` evaluates a term."""
        return (self.name, queue, *(value(part) if smt.is_expr(part) else part for part in self.details))


@dataclass(frozen=True)
class Step:
    """Result of a rebalance for one queue."""

    removal: tuple[Slot, ...]
    """Possible effects of removing the process queue, in the program's order."""
    addition: tuple[Slot, ...]
    """Possible effects of adding a new process queue, which come later."""
    after: Entry
    """The process queue in the table after the rebalance."""
    former: Entry
    """The process queue from before the rebalance, in its state afterwards, in the table or not."""
    out: smt.BoolTerm = NO
    """Whether the former process queue has left the table."""
    entered: smt.BoolTerm = NO
    """Whether a new process queue was added to the table."""
    changed: smt.BoolTerm = NO
    """Whether this queue makes the client report that its table has changed."""
    denied: smt.BoolTerm = NO
    """Whether the queue's lock was denied.

    Some clients then soon request another rebalance.
    """
    removing_throws: smt.BoolTerm = NO
    adding_throws: smt.BoolTerm = NO
    """Whether an exception leaves the client's method at this queue.

    ``removing_throws``: when the queue is removed; ``adding_throws``: when it is added.
    """

    @property
    def begin(self) -> smt.IntTerm:
        """The start offset of a new process queue; meaningless unless ``entered``."""
        (asked,) = (slot for slot in self.addition if slot.name == PULL_REQUEST)
        begin: smt.IntTerm = asked.details[0]
        return begin

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All possible effects, in the program's order."""
        return self.removal + self.addition


@dataclass(frozen=True)
class Removal:
    """Result of a rebalance's first part, which removes process queues, for one queue."""

    slots: list[Slot]
    former: Entry
    """The process queue after this part, in the table or not."""
    out: smt.BoolTerm
    throws: smt.BoolTerm


@dataclass(frozen=True)
class Addition:
    """Result of a rebalance's second part, which may add a process queue."""

    slots: list[Slot]
    new: Entry
    entered: smt.BoolTerm
    denied: smt.BoolTerm = NO
    throws: smt.BoolTerm = NO


def joined(removal: Removal, addition: Addition) -> Step:
    """Return the result of a rebalance from the results of its two parts.

    The table has the new process queue, or the former one if it stayed. The offset in memory belongs to the queue,
    with any process queue.
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
    """Check whether one of the possible effects has that name and happens.

    With ``details``, only an effect with the same details counts.
    """
    return smt.Or([slot.happens for slot in slots if slot.name == name and (not details or slot.details == details)])


@dataclass(frozen=True)
class Batch:
    """A queue's position in a ``lockAll`` call, which requests all locks of a broker at once."""

    found: smt.BoolTerm
    """Whether an earlier queue of the call is on the same broker and not of a static topic."""
    fails: smt.BoolTerm
    """Whether the ``lockAll`` call fails."""


@dataclass(frozen=True)
class TransitionEncoding:
    """SMT encoding of a client's rebalance of one queue."""

    step: Callable[[Entry, Asked, Thrown], Step]
    possible: Callable[[Thrown, smt.BoolTerm], smt.BoolTerm]
    """``possible(thrown, own_store)``: whether other queues can throw these exceptions.

    ``own_store``: whether the offset store is user-defined.
    """
    unsubscribe: Callable[[Entry], Step]
    """``unsubscribe(entry)`` returns the result for a queue of an unsubscribed topic."""
    renew: Callable[[Entry, Asked, Batch], Step]
    """``renew(entry, asked, batch)`` returns the result for a queue when all locks are renewed.

    Mirror of ``lockAll``.
    """


def choose(condition: smt.BoolTerm, then: Entry, otherwise: Entry) -> Entry:
    """Return the process queue ``then`` where the condition holds, ``otherwise`` elsewhere."""
    parts = vars(then)
    return Entry(**{name: smt.If(condition, parts[name], getattr(otherwise, name)) for name in parts})


def new_entry(memory: smt.IntTerm, *, locked: bool) -> Entry:
    """Return a process queue as a client creates it; ``memory``: the queue's offset in memory."""
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


# Inputs of a rebalance of one queue of a push consumer, as SMT terms.


def push(in_set: smt.BoolTerm, stored: smt.IntTerm, **others: Any) -> Asked:
    """Return inputs where nothing fails, with a concurrent listener and the default store.

    ``in_set``: whether the consumer owns the queue. ``stored``: answer to its offset query. ``others`` replaces any
    of the inputs.
    """
    usual = Asked(
        mine=YES,
        static=NO,
        in_set=in_set,
        lock=smt.IntVal(LOCKS.index(OK)),
        stored=stored,
        queried=smt.IntVal(0),
        persist=smt.IntVal(PERSISTS.index(OK)),
        kind=smt.IntVal(KINDS.index(PUSH)),
        order=NO,
        orderly=NO,
        broadcasting=NO,
        own_store=NO,
        where=smt.IntVal(WHERES.index(ConsumeFromWhere.LAST_OFFSET)),
        retry=NO,
    )
    return replace(usual, **others)
