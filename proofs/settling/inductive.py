"""What is so at first, and is kept by everything that can happen, is always so: obligation by obligation."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from types import SimpleNamespace

import z3

from rebalance_proofs.model.settling.actions import SettlingEncoding
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import State, nothing
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.records import made_once
from rebalance_proofs.proofs.settling.invariant import Conjunct
from rebalance_proofs.proofs.settling.notices import Notices
from rebalance_proofs.proofs.settling.variables import LIMITS, NAMES, flags, limits_of, said_of, state_of

__all__ = ["ACTIONS", "about", "kept", "possible", "well"]

ACTIONS = {
    "looks": "The thread looks whether it was woken.",
    "resets": "It begins to wait.",
    "wakes": "Its wait ends.",
    "clears": "It clears the flag.",
    "begins": "A rebalance begins.",
    "postpones": "A rebalance would be too early.",
    "ends": "A rebalance ends.",
    "fails": "A rebalance fails.",
    "changes": "What the client is told when it asks changes for the last time.",
    "loses": "The notification of that is lost.",
    "notifies": "The notification arrives.",
    "stirs": "Something else wakes the thread.",
    "counts": "The latch is counted down.",
}
"""What can happen, by the names of an encoding's parts."""
assert set(ACTIONS) == {field.name for field in fields(SettlingEncoding)}

Stated = Callable[[SettlingEncoding, SimpleNamespace], Statement]


def possible(limits: Limits) -> dict[str, z3.BoolRef]:
    """No time is negative."""
    return {"no limit is negative": z3.And([limit >= 0 for limit in vars(limits).values()])}


def well(conjuncts: Mapping[str, Conjunct], v: SimpleNamespace) -> dict[str, z3.BoolRef]:
    """The invariant holds."""
    limits = limits_of(v)
    return flags(v) | possible(limits) | _all(conjuncts, state_of(v), limits)


def kept(conjuncts: Mapping[str, Conjunct], world: Notices, never: Collection[str] = ()) -> Iterator[Obligation]:
    """At first it is so; each action keeps it, and time. ``never``: actions that are never possible."""
    given = made_once(partial(well, conjuncts))

    def then(state: State, v: SimpleNamespace) -> z3.BoolRef:
        return z3.And(list(_all(conjuncts, state, limits_of(v)).values()))

    def begins(e: SettlingEncoding, v: SimpleNamespace) -> Statement:
        state = State(v.now, nothing(v.now, v.wait))
        return Statement(flags(v) | possible(limits_of(v)), then(state, v))

    def acts(name: str) -> Stated:
        def state(e: SettlingEncoding, v: SimpleNamespace) -> Statement:
            before = state_of(v)
            turn = getattr(e, name)(before, said_of(v), limits_of(v))
            can = {"it is possible": turn.can, "the premises allow it": world.allows(name, before)}
            return Statement(given(v) | can, then(turn.after, v))

        return state

    def waits(e: SettlingEncoding, v: SimpleNamespace) -> Statement:
        before = state_of(v)
        due = {"nothing is due before": world.waits(before, v.until, limits_of(v))}
        return Statement(given(v) | due, then(replace(before, now=v.until), v))

    if any(conjunct.at_first for conjunct in conjuncts.values()):
        yield about("at-first", "At first all is well.", begins)
    for name, sentence in ACTIONS.items():
        if name not in never and (name != "fails" or not world.succeeds):
            yield about(name, f"{sentence} All stays well.", acts(name))
    yield about("time-passes", "Time passes. All stays well.", waits, "until")


def about(name: str, sentence: str, state: Stated, *more: str) -> Obligation:
    """An obligation about one client's state; ``more``: unknowns besides ``NAMES``."""
    return Obligation(name, sentence, (*NAMES, *more), state, goals=_goals)


def _all(conjuncts: Mapping[str, Conjunct], state: State, limits: Limits) -> dict[str, z3.BoolRef]:
    return {conjunct.sentence: conjunct.holds(state, limits) for conjunct in conjuncts.values()}


def _goals(v: SimpleNamespace, bound: int) -> Iterator[tuple[str, z3.BoolRef]]:
    yield "now and every limit beyond the bound", z3.And([getattr(v, name) >= bound for name in ("now", *LIMITS)])
