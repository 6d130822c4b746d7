"""Rebalance of one ordered queue, as far as its lock is concerned; on numbers and on terms alike."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import z3

from rebalance_proofs.model.client.effects import PULL_REQUEST, SCHEDULE_UNLOCK, UNLOCK
from rebalance_proofs.model.client.environment import DENIED, OK
from rebalance_proofs.model.client.process_queue import FREE, HELD
from rebalance_proofs.model.machine.values import Bool, Int, term
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

__all__ = ["Given", "Rebalanced", "Transition", "asked", "rebalanced"]

Transition = Callable[[Entry, Asked, Thrown], Step]
"""A client's rebalance of one queue, as in the claims ``transition.*``."""


@dataclass(frozen=True)
class Given:
    """What a rebalance finds: all values are numbers, or all are terms. An entry whose queue is in mqSet is overdue."""

    present: Bool
    dropped: Bool
    locked: Bool
    lock_age: Int
    works: Bool
    """Whether the listener is called for that entry."""
    cached: Bool
    in_set: Bool
    found: Bool
    """Whether an offset is found at which a new entry begins."""
    unlock: Int
    """``Limits.unlock``."""


@dataclass(frozen=True)
class Rebalanced:
    """What a rebalance leaves."""

    present: Bool
    dropped: Bool
    locked: Bool
    lock_age: Int
    cached: Bool
    unlocks: Bool
    """Whether the lock is given back."""
    later: Bool
    """Whether giving the lock back is put off."""
    waits: bool
    """Whether the first pull of a new entry is put off."""


def asked(in_set: z3.BoolRef, lock: str, stored: z3.ArithRef, unlock: z3.ArithRef | int) -> Asked:
    """The request and environment of a rebalance of an ordered push consumer whose broker answers ``lock`` to its
    request for the lock."""
    told = z3.IntVal(LOCKS.index(lock))
    return push(in_set, stored, lock=told, order=YES, orderly=YES, unlock_delay=unlock)


def rebalanced(transition: Transition, given: Given, *, granted: bool) -> Rebalanced:
    """The outcome of a rebalance; ``granted``: the broker grants the lock that is asked for."""
    if any(map(z3.is_expr, vars(given).values())):
        return _of_terms(transition, given, granted)
    return _of_values(transition, given, granted)


def _of_terms(transition: Transition, given: Given, granted: bool) -> Rebalanced:
    zero = z3.IntVal(0)
    in_set, works = term(given.in_set), term(given.works)
    entry = Entry(
        present=term(given.present),
        dropped=term(given.dropped),
        locked=term(given.locked),
        pull_age=z3.If(in_set, PULL_IDLE_LIMIT + 1, zero),
        lock_age=_int(given.lock_age),
        consume_lock=z3.If(works, HELD, FREE),
        cached=term(given.cached),
        tries=zero,
        memory=zero,
    )
    stored = z3.If(term(given.found), 0, UNANSWERED)
    lock = OK if granted else DENIED
    done = transition(entry, asked(in_set, lock, stored, given.unlock), NOTHING_THROWN)
    slots: tuple[Slot, ...] = done.slots
    after, waits = done.after, any(slot.details[1] > 0 for slot in done.addition if slot.name == PULL_REQUEST)
    effects = happens(slots, UNLOCK), happens(slots, SCHEDULE_UNLOCK)
    return Rebalanced(after.present, after.dropped, after.locked, after.lock_age, after.cached, *effects, waits)


def _int(value: Int) -> z3.ArithRef:
    return z3.IntVal(value) if isinstance(value, int) else value


@cache
def _of_values(transition: Transition, given: Given, granted: bool) -> Rebalanced:
    done = _of_terms(transition, given, granted)
    flags = {name: _so(value) for name, value in vars(done).items() if name != "lock_age"}
    age = z3.simplify(_int(done.lock_age))
    assert isinstance(age, z3.IntNumRef)
    return Rebalanced(lock_age=age.as_long(), **flags)


def _so(value: Bool) -> bool:
    return z3.is_true(z3.simplify(term(value)))
