"""Actions and predicates over a configuration's unknowns, compiled to NumPy functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from rebalance_proofs.model.machine.machine import Act, Turn
from rebalance_proofs.model.machine.record import variables
from rebalance_proofs.model.machine.values import And, term
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel, unknowns
from rebalance_proofs.model.terms.smt import BoolTerm, Term
from rebalance_proofs.proofs.machine.configuration import Configuration, Predicate
from rebalance_proofs.proofs.machine.world import MachineWorld

__all__ = [
    "AnyConfiguration",
    "Fitted",
    "compiled",
    "effect",
    "guard",
    "kernel",
    "mattering",
    "matters",
    "permitted",
    "turn_of",
]

AnyConfiguration = Configuration[Any, Any, Any, Any]


@dataclass(frozen=True, eq=False)
class Fitted:
    """Terms as a NumPy function of the unknowns that occur in them."""

    names: tuple[str, ...]
    """The unknowns, in the order of the function's arguments."""
    of: Kernel


@cache
def turn_of(of: AnyConfiguration, act: Act[Any, Any, Any]) -> Turn[Any]:
    """Return the action evaluated in a symbolic state, with symbolic choices and limits."""
    return act(*of.symbols)


@cache
def compiled(of: AnyConfiguration, act: Act[Any, Any, Any]) -> Kernel:
    """Compile an action to a NumPy function of all unknowns.

    Its results are the guard and all fields of the successor except the time.
    """
    turn = turn_of(of, act)
    return compile_kernel(of.names, term(turn.guard), *(getattr(turn.after, name) for name in of.own))


def permitted(of: AnyConfiguration, act: Act[Any, Any, Any], name: str, world: MachineWorld[Any, Any, Any]) -> BoolTerm:
    """Return the condition that the action is possible and the world permits it."""
    return term(And(turn_of(of, act).guard, world.lets(name, *of.symbols)))


@cache
def guard(of: AnyConfiguration, act: Act[Any, Any, Any], name: str, world: MachineWorld[Any, Any, Any]) -> Fitted:
    """Compile ``permitted``."""
    return _fitted([permitted(of, act, name, world)])


@cache
def effect(of: AnyConfiguration, act: Act[Any, Any, Any], fields: tuple[str, ...]) -> tuple[tuple[str, ...], Fitted]:
    """Return the fields that the action can change, and their values in the successor."""
    before, after = of.symbols[0], turn_of(of, act).after
    changed = {name: getattr(after, name) for name in fields if getattr(after, name) is not getattr(before, name)}
    return tuple(changed), _fitted(list(changed.values()))


def kernel(of: AnyConfiguration, *predicates: Predicate[Any, Any]) -> Fitted:
    """Compile predicates on one copy's view."""
    state, _, limits = of.symbols
    return _fitted([term(one(state, limits)) for one in predicates])


@cache
def mattering(of: AnyConfiguration) -> Mapping[str, frozenset[str]]:
    """Return, for each field that does not always matter, the unknowns that decide whether it does."""
    state, known = of.symbols[0], variables(of.machine.state)
    asked = ((name, known[name].matters) for name in of.own)
    return {name: frozenset(unknowns(term(matters(state)))) for name, matters in asked if matters}


@cache
def matters(of: AnyConfiguration, names: tuple[str, ...]) -> Fitted:
    """Compile whether the fields of these names matter; each is in ``mattering``."""
    state, known = of.symbols[0], variables(of.machine.state)
    asked = (known[name].matters for name in names)
    return _fitted([term(matters(state)) for matters in asked if matters])


def _fitted(terms: Sequence[Term]) -> Fitted:
    names = tuple(sorted(set[str]().union(*map(unknowns, terms))))
    return Fitted(names, compile_kernel(names, *terms))
