"""Rebalance of one ordered queue, as far as it concerns the lock.

It is computed from the SMT encoding in ``model.transition``, for numbers as well as for terms.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from rebalance_proofs.model.client.effects import PULL_REQUEST, SCHEDULE_UNLOCK, UNLOCK
from rebalance_proofs.model.client.environment import DENIED, OK
from rebalance_proofs.model.client.process_queue import FREE, HELD
from rebalance_proofs.model.machine.values import Bool, Int, term
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.model.transition.numbers import LOCKS, UNANSWERED
from rebalance_proofs.model.transition.push import push
from rebalance_proofs.model.transition.step import (
    NOTHING_THROWN,
    PULL_IDLE_LIMIT,
    Asked,
    Entry,
    Slot,
    Step,
    Thrown,
    happens,
)

Transition = Callable[[Entry, Asked, Thrown], Step]
"""SMT encoding of a client's rebalance of one queue, as in claims ``transition.*``."""


@dataclass(frozen=True)
class Given:
    """Inputs of a rebalance of one queue: all values are numbers, or all are terms.

    If a process queue is removed although its queue is in mqSet, no message was pulled for too long.
    """

    present: Bool
    dropped: Bool
    locked: Bool
    lock_age: Int
    works: Bool
    """Whether the listener runs for the queue's process queue."""
    cached: Bool
    in_set: Bool
    found: Bool
    """Whether a start offset is found for a new process queue."""
    unlock: Int
    """The client's ``unlockDelayTimeMills`` in ms (``Limits.unlock``)."""


@dataclass(frozen=True)
class Rebalanced:
    """Result of a rebalance for the queue."""

    present: Bool
    dropped: Bool
    locked: Bool
    lock_age: Int
    cached: Bool
    unlocks: Bool
    """Whether the client sends an unlock request at once."""
    later: Bool
    """Whether the client schedules an unlock request with a delay."""
    waits: bool
    """Whether the first pull of a new process queue is delayed."""


def asked(in_set: smt.BoolTerm, lock: str, stored: smt.IntTerm, unlock: smt.IntTerm | int) -> Asked:
    """Return the inputs of a rebalance of an ordered push consumer, for its SMT encoding.

    ``in_set``: whether the consumer owns the queue; ``lock``: the broker's answer to its lock request; ``stored``:
    the answer to its offset query.
    """
    told = smt.IntVal(LOCKS.index(lock))
    return push(in_set, stored, lock=told, order=YES, orderly=YES, unlock_delay=unlock)


def rebalanced(transition: Transition, given: Given, *, granted: bool) -> Rebalanced:
    """Return the result of a rebalance for the queue.

    ``granted``: whether the broker grants the lock if the rebalance requests it.
    """
    if any(map(smt.is_expr, vars(given).values())):
        return _of_terms(transition, given, granted)
    return _of_values(transition, given, granted)


def _of_terms(transition: Transition, given: Given, granted: bool) -> Rebalanced:
    zero = smt.IntVal(0)
    in_set, works = term(given.in_set), term(given.works)
    entry = Entry(
        present=term(given.present),
        dropped=term(given.dropped),
        locked=term(given.locked),
        pull_age=smt.If(in_set, PULL_IDLE_LIMIT + 1, zero),
        lock_age=_int(given.lock_age),
        consume_lock=smt.If(works, HELD, FREE),
        cached=term(given.cached),
        tries=zero,
        memory=zero,
    )
    stored = smt.If(term(given.found), 0, UNANSWERED)
    lock = OK if granted else DENIED
    done = transition(entry, asked(in_set, lock, stored, given.unlock), NOTHING_THROWN)
    slots: tuple[Slot, ...] = done.slots
    after, waits = done.after, any(slot.details[1] > 0 for slot in done.addition if slot.name == PULL_REQUEST)
    effects = happens(slots, UNLOCK), happens(slots, SCHEDULE_UNLOCK)
    return Rebalanced(after.present, after.dropped, after.locked, after.lock_age, after.cached, *effects, waits)


def _int(value: Int) -> smt.IntTerm:
    return smt.IntVal(value) if isinstance(value, int) else value


@cache
def _of_values(transition: Transition, given: Given, granted: bool) -> Rebalanced:
    done = _of_terms(transition, given, granted)
    flags = {name: _so(value) for name, value in vars(done).items() if name != "lock_age"}
    age = simplify(_int(done.lock_age))
    assert isinstance(age, smt.Numeral)
    return Rebalanced(lock_age=age.number, **flags)


def _so(value: Bool) -> bool:
    return smt.is_true(simplify(term(value)))
