"""What is so at first, and is kept by everything that can happen, is always so: obligation by obligation."""

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache, partial
from types import SimpleNamespace

import z3

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.model.ordered.state import NOBODY, Lock, State, nothing, passed_on
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered.circumstances import Circumstances
from rebalance_proofs.proofs.ordered.invariant import NEVER_LATER, Conjunct
from rebalance_proofs.proofs.ordered.variables import ME, NAMES, OTHER, flags, limits_of, said_of, state_of
from rebalance_proofs.proofs.records import made_once

__all__ = ["ACTIONS", "Fits", "about", "can_wait", "kept", "possible", "rely", "well"]

ACTIONS = {
    "renews": "The broker grants a lock that is asked for otherwise than by a rebalance.",
    "renewed": "The consumer hears of that.",
    "refused": "The consumer hears that a renewal was denied.",
    "revokes": "A rebalance takes the queue away, or tries to.",
    "unsubscribes": "The topic is not subscribed any more.",
    "locks": "The broker grants the lock that a rebalance asks for.",
    "adds": "The rebalance adds the queue, or finds no offset to begin at.",
    "returned": "A return of the lock arrives at the broker.",
    "returns": "A return that was put off is sent.",
    "pulls": "Messages arrive.",
    "starts": "The lock is found to be the consumer's own and recent, and the listener is called.",
    "ends": "The listener returns.",
    "shuts": "The consumer is told to shut down.",
    "interrupts": "Its shutdown has waited for the listener, and interrupts it.",
    "gives_back": "Its shutdown gives all locks back.",
    "clears": "Its shutdown empties the table.",
    "crashes": "Its process ends.",
}
"""What a consumer can do, by the names of an encoding's parts; and the broker with its messages."""
assert {*ACTIONS, "rules", "step", "listed"} == {field.name for field in fields(OrderedEncoding)}

Stated = Callable[[OrderedEncoding, SimpleNamespace], Statement]
Fits = Callable[[Limits], dict[str, z3.BoolRef]]
"""What is asked of the limits, in words."""


def can_wait(state: State, until: z3.ArithRef, limits: Limits) -> z3.BoolRef:
    """Nothing is due before that time: no listener has to return, no answer to arrive."""
    me = state.me
    return z3.And(
        until >= state.now,
        z3.Implies(me.runs, until <= me.since + limits.listener),
        z3.Implies(me.answered, until <= me.answered_at + limits.delay),
        z3.Implies(me.adding, until <= me.adding_at + limits.delay),
    )


def possible(limits: Limits) -> dict[str, z3.BoolRef]:
    """No time is negative."""
    return {"no limit is negative": z3.And([limit >= 0 for limit in vars(limits).values()])}


def anything(limits: Limits) -> dict[str, z3.BoolRef]:
    """Nothing is asked of the limits."""
    return {}


def well(
    conjuncts: Mapping[str, Conjunct], world: Circumstances, v: SimpleNamespace, fits: Fits = anything
) -> dict[str, z3.BoolRef]:
    """The invariant holds, and the limits are as asked."""
    limits = limits_of(v)
    return flags(v) | possible(limits) | fits(limits) | _all(conjuncts, state_of(v), world.trusted(limits))


def kept(
    conjuncts: Mapping[str, Conjunct], world: Circumstances, fits: Fits = anything, never: Container[str] = ()
) -> Iterator[Obligation]:
    """At first it is so; each action keeps it, and time, and what others do to the lock; ``never``: actions that the
    client does not have."""
    given = made_once(partial(well, conjuncts, world, fits=fits))

    def then(state: State, v: SimpleNamespace) -> z3.BoolRef:
        return z3.And(list(_all(conjuncts, state, world.trusted(limits_of(v))).values()))

    def begins(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        lock = Lock(v.holder, v.updated)
        some = {"the lock is another's, or nobody's": z3.Or(v.holder == OTHER, v.holder == NOBODY)}
        before = {"it was updated before": v.updated <= v.now}
        state = State(v.now, nothing(ME, v.now), lock)
        return Statement(flags(v) | possible(limits_of(v)) | some | before, then(state, v))

    def acts(name: str) -> Stated:
        def state(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
            before, said, limits = state_of(v), said_of(v), limits_of(v)
            turn = getattr(e, name)(before, said, limits)
            can = {"it is possible": turn.can, "the premises allow it": world.allows(e, name, before, said, limits)}
            return Statement(given(v) | can, then(turn.after, v))

        return state

    def waits(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        before, limits = state_of(v), limits_of(v)
        due = {"nothing is due before": can_wait(before, v.until, limits)}
        # Only there: where no action is read, no wrong one can break it, and teeth ask for none.
        allowed = (
            {"the premises allow it": world.waits(e.listed(before), before, v.until, limits)} if world.renewed else {}
        )
        return Statement(given(v) | due | allowed, then(replace(before, now=v.until), v))

    def taken(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        free = z3.Or(v.holder != ME, v.now - v.updated > v.broker)
        before = state_of(v)
        after = State(v.now, passed_on(before.me, v.now), Lock(z3.IntVal(OTHER), v.now))
        return Statement(given(v) | {"the lock is not this consumer's, or has run out": free}, then(after, v))

    def freed(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        after = replace(state_of(v), lock=Lock(z3.IntVal(NOBODY), v.updated))
        return Statement(given(v) | {"the lock is another's": v.holder == OTHER}, then(after, v))

    yield about("at-first", "At first all is well, whoever has the lock.", begins)
    for name, sentence in ACTIONS.items():
        if name in never or world.excludes(name) or (name == "returns" and NEVER_LATER.name in conjuncts):
            continue  # there is none
        yield about(name, f"{sentence} All stays well.", acts(name))
    yield about("time-passes", "Time passes. All stays well.", waits, "until")
    yield about("others-take", "Another takes the lock, which is free or has run out. All stays well.", taken)
    yield about("others-give-back", "Another gives its lock back. All stays well.", freed)


@cache
def rely() -> Obligation:
    """That others do nothing else to the lock."""

    def others(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        before, limits = state_of(v, OTHER), limits_of(v)
        expired = v.now - v.updated > limits.broker
        same = []
        for name in ACTIONS:
            turn = getattr(e, name)(before, said_of(v), limits)
            lock = turn.after.lock
            unchanged = z3.And(lock.holder == v.holder, lock.updated == v.updated)
            took = z3.And(z3.Or(v.holder != ME, expired), lock.holder == OTHER, lock.updated == v.now)
            gave = z3.And(v.holder == OTHER, lock.holder == NOBODY, lock.updated == v.updated)
            same.append(z3.Implies(turn.can, z3.Or(unchanged, took, gave)))
        somebody = z3.And(v.holder >= NOBODY, v.holder <= OTHER)
        return Statement(flags(v) | possible(limits) | {"somebody has the lock, or nobody": somebody}, z3.And(same))

    return about("rely", "Whatever another consumer does to the lock is nothing, or one of these two.", others)


def about(name: str, sentence: str, state: Stated, *more: str) -> Obligation:
    """An obligation about one consumer's state; ``more``: unknowns besides ``NAMES``."""
    return Obligation(name, sentence, (*NAMES, *more), state, goals=_goals)


def _all(conjuncts: Mapping[str, Conjunct], state: State, limits: Limits) -> dict[str, z3.BoolRef]:
    return {conjunct.sentence: conjunct.holds(state, limits) for conjunct in conjuncts.values()}


def _goals(v: SimpleNamespace, bound: int) -> Iterator[tuple[str, z3.BoolRef]]:
    # All at once, which says more than each for itself.
    far = [getattr(v, name) >= bound for name in ("now", *vars(DEFAULTS))]
    yield "now and every limit beyond the bound", z3.And(far)
