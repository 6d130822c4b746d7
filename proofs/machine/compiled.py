"""Actions and predicates of a machine, compiled to NumPy functions of many states at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from rebalance_proofs.model.machine.conjunct import Predicate
from rebalance_proofs.model.machine.machine import Act, Turn
from rebalance_proofs.model.machine.record import variables
from rebalance_proofs.model.machine.values import And, term
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel, unknowns
from rebalance_proofs.model.terms.smt import BoolTerm, Term
from rebalance_proofs.proofs.machine.configuration import Configuration

AnyConfiguration = Configuration[Any, Any, Any, Any]


@dataclass(frozen=True, eq=False)
class Fitted:
    """A NumPy function that evaluates terms, and the unknowns that occur in them."""

    names: tuple[str, ...]
    """The names of the unknowns, in the order of the function's arguments."""
    of: Kernel


@cache
def turn_of(of: AnyConfiguration, act: Act[Any, Any, Any]) -> Turn[Any]:
    """Return an action's guard and effect for symbolic state, choices and limits."""
    return act(*of.symbols)


@cache
def compiled(of: AnyConfiguration, act: Act[Any, Any, Any]) -> Kernel:
    """Compile an action to a NumPy function of all unknowns.

    The function returns the action's guard, and all fields of the state after it except the time.
    """
    turn = turn_of(of, act)
    return compile_kernel(of.names, term(turn.guard), *(getattr(turn.after, name) for name in of.own))


def permitted(of: AnyConfiguration, act: Act[Any, Any, Any], name: str, world: MachineWorld[Any, Any, Any]) -> BoolTerm:
    """Return the condition that an action is possible, and the assumptions permit it."""
    return term(And(turn_of(of, act).guard, world.lets(name, *of.symbols)))


@cache
def guard(of: AnyConfiguration, act: Act[Any, Any, Any], name: str, world: MachineWorld[Any, Any, Any]) -> Fitted:
    """Compile the condition that an action is possible and permitted (``permitted``)."""
    return _fitted([permitted(of, act, name, world)])


@cache
def effect(of: AnyConfiguration, act: Act[Any, Any, Any], fields: tuple[str, ...]) -> tuple[tuple[str, ...], Fitted]:
    """Return the fields that an action can change, and a function for their values after it."""
    before, after = of.symbols[0], turn_of(of, act).after
    changed = {name: getattr(after, name) for name in fields if getattr(after, name) is not getattr(before, name)}
    return tuple(changed), _fitted(list(changed.values()))


def kernel(of: AnyConfiguration, *predicates: Predicate[Any, Any]) -> Fitted:
    """Compile predicates on the state of one copy, with the shared fields."""
    state, _, limits = of.symbols
    return _fitted([term(one(state, limits)) for one in predicates])


@cache
def mattering(of: AnyConfiguration) -> Mapping[str, frozenset[str]]:
    """Return the fields that have an effect only sometimes.

    For each, the result has the unknowns that decide whether it has an effect.
    """
    state, known = of.symbols[0], variables(of.machine.state)
    asked = ((name, known[name].matters) for name in of.own)
    return {name: frozenset(unknowns(term(matters(state)))) for name, matters in asked if matters}


@cache
def matters(of: AnyConfiguration, names: tuple[str, ...]) -> Fitted:
    """Compile, for fields of ``mattering``, whether they have an effect in a state."""
    state, known = of.symbols[0], variables(of.machine.state)
    asked = (known[name].matters for name in names)
    return _fitted([term(matters(state)) for matters in asked if matters])


def _fitted(terms: Sequence[Term]) -> Fitted:
    names = tuple(sorted(set[str]().union(*map(unknowns, terms))))
    return Fitted(names, compile_kernel(names, *terms))
