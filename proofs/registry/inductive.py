"""What is so at first, and is kept by everything that can happen, is always so."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace

import z3

from rebalance_proofs.model.registry.actions import RegistryEncoding
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import State, nobody
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.registry.invariant import Conjuncts
from rebalance_proofs.proofs.registry.membership import Membership
from rebalance_proofs.proofs.registry.schedule import ACTIONS
from rebalance_proofs.proofs.registry.variables import LIMITS, NAMES, flags, limits_of, said_of, state_of

__all__ = ["about", "kept", "well"]

Stated = Callable[[RegistryEncoding, SimpleNamespace], Statement]
Bad = Callable[[State, Limits], z3.BoolRef]


def well(conjuncts: Conjuncts, world: Membership, v: SimpleNamespace) -> dict[str, z3.BoolRef]:
    """The invariant holds."""
    limits = limits_of(v)
    return flags(v) | world.limited(limits) | holds(conjuncts, state_of(v), limits)


def holds(conjuncts: Conjuncts, state: State, limits: Limits) -> dict[str, z3.BoolRef]:
    """All of it, by its sentences."""
    return {conjunct.sentence: conjunct.holds(state, limits) for conjunct in conjuncts.values()}


def kept(conjuncts: Conjuncts, world: Membership, bad: Bad) -> Iterator[Obligation]:
    """At first it is so, and nothing bad is; whatever happens keeps it, and time.

    All actions are one obligation, in which the number of the one that happens is an unknown: that each is possible
    there is asked with the width of its premises.
    """

    def then(state: State, v: SimpleNamespace) -> z3.BoolRef:
        limits = limits_of(v)
        return z3.And(*holds(conjuncts, state, limits).values(), z3.Not(bad(state, limits)))

    def begins(e: RegistryEncoding, v: SimpleNamespace) -> Statement:
        state = State(v.now, nobody(v.now))
        return Statement(flags(v) | world.limited(limits_of(v)), then(state, v))

    def acts(e: RegistryEncoding, v: SimpleNamespace) -> Statement:
        before, said, limits = state_of(v), said_of(v), limits_of(v)
        can, stays = [], []
        for number, name in enumerate(world.actions):
            turn = getattr(e, name)(before, said, limits)
            this = v.action == number
            can.append(z3.And(this, turn.can, world.allows(name, before, said, limits)))
            stays.append(z3.Implies(this, then(turn.after, v)))
        happens = {"one of these actions is possible, and the premises allow it": z3.Or(can)}
        return Statement(well(conjuncts, world, v) | happens, z3.And(stays))

    def waits(e: RegistryEncoding, v: SimpleNamespace) -> Statement:
        before = state_of(v)
        due = {"nothing is due before": world.waits(before, v.until, limits_of(v))}
        return Statement(well(conjuncts, world, v) | due, then(replace(before, now=v.until), v))

    if not z3.is_true(z3.simplify(_at_first(conjuncts, bad))):
        yield about("at-first", "At first all is well.", begins)
    names = ", ".join(f"`{name}`" for name in world.actions)
    yield about("happens", f"Whatever happens, all stays well: {names}.", acts, "action", actions=world.actions)
    yield about("time-passes", "Time passes. All stays well.", waits, "until")


def _at_first(conjuncts: Conjuncts, bad: Bad) -> z3.BoolRef:
    """Where this is plainly true, whatever the time and the limits are, there is nothing to prove."""
    now, limits = z3.Int("now"), Limits(**{name: z3.Int(name) for name in LIMITS})
    state = State(now, nobody(now))
    return z3.And(*holds(conjuncts, state, limits).values(), z3.Not(bad(state, limits)))


def about(name: str, sentence: str, state: Stated, *more: str, actions: tuple[str, ...] = ()) -> Obligation:
    """An obligation about one member's state; ``more``: unknowns besides ``NAMES``; ``actions``: those of which each
    has to be possible."""

    def goals(v: SimpleNamespace, bound: int) -> Iterator[tuple[str, z3.BoolRef]]:
        yield "now and every limit beyond the bound", z3.And([getattr(v, one) >= bound for one in ("now", *LIMITS)])
        for number, one in enumerate(actions):
            assert one in ACTIONS
            yield f"{one} is possible", v.action == number

    return Obligation(name, sentence, (*NAMES, *more), state, goals=goals)
