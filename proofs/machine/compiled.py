"""Actions and predicates of a machine, compiled to NumPy functions of many states at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from rebalance_proofs.model.machine.conjunct import Predicate
from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER
from rebalance_proofs.model.machine.machine import Act, Turn, act_of
from rebalance_proofs.model.machine.record import variables
from rebalance_proofs.model.machine.values import And, term
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel, unknowns
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.terms.smt import BoolTerm, Term
from rebalance_proofs.proofs.breadth_first import Rows
from rebalance_proofs.proofs.claim import Claim
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
def never(condition: BoolTerm) -> bool:
    """Return whether the condition is false for all values, as far as Z3 finds out by simplifying it.

    The encodings of a client and its mutants have most conditions in common.
    """
    return smt.is_false(simplify(condition))


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


# Cone of influence: the fields of a machine's state that can influence a claim.
# They are found in the terms; explorations ignore all other fields.

Names = frozenset[str]


def relevant(of: AnyConfiguration, encoding: Any, claim: Claim) -> tuple[Names, Names]:
    """Return the possible actions, and the fields that can influence the claim.

    Fields influence guards, assumptions or bad states, directly or indirectly.
    """
    (state, _, limits), world, bad = of.symbols, claim.world.beside(encoding), of.bad(claim)
    asked = {*of.clock} | (unknowns(term(bad(state, limits))) if bad else set())
    if of.clock:
        asked |= unknowns(term(world.waits(state, state.now + 1, limits)))
    aside, after = {*of.aside(claim), *claim.world.excludes}, {}
    for name in of.machine.actions:
        act = act_of(encoding, name)
        takes = None if name in aside else _takes(of, act, name, world)
        if takes is not None:
            asked |= takes
            after[name] = _comes_from(of, act)
    waiting = sorted(asked & {*of.own})
    while waiting:
        name = waiting.pop()
        found = mattering(of).get(name, frozenset()).union(*(one[name] for one in after.values()))
        waiting += sorted((found - asked) & {*of.own})
        asked |= found
    return frozenset(after), frozenset(asked & {*of.clock, *of.own})


@cache
def _takes(of: AnyConfiguration, act: Act[Any, Any, Any], name: str, world: Any) -> set[str] | None:
    """Return the unknowns that influence whether an action is possible; None if it never is."""
    can = permitted(of, act, name, world)
    return None if never(can) else unknowns(can)


@cache
def _comes_from(of: AnyConfiguration, act: Act[Any, Any, Any]) -> Mapping[str, set[str]]:
    """Return, for each state field, the unknowns that influence its value after the action."""
    return {name: unknowns(getattr(turn_of(of, act).after, name)) for name in of.own}


# Compiled functions on arrays of states of several copies.
# A function evaluates terms from the viewpoint of one copy, performs an action, or normalizes states.


@dataclass(frozen=True)
class View:
    """Terms as a function of an array of states, from the viewpoint of one copy."""

    fitted: Fitted
    given: tuple[tuple[int | None, int], ...]
    """For each argument of the function, the index of its column and 0, or None and a constant."""
    named: tuple[int, ...]
    """Indexes of the arguments whose values identify a copy."""
    number: int
    """Number that represents this copy in the columns of the array."""

    def __call__(self, rows: Rows) -> tuple[Any, ...]:
        columns = rows.T
        given = [value if place is None else columns[place] for place, value in self.given]
        for place in self.named:
            who = given[place]
            given[place] = np.where(who == NOBODY, NOBODY, np.where(who == self.number, ME, OTHER))
        return self.fitted.of(*given)


@dataclass(frozen=True)
class Normal:
    """Normalization of states, in place.

    Values that have no effect become zero, and numbers are clipped to the explored range.
    """

    matters: View
    zeroed: tuple[int, ...]
    """Columns that become zero where the corresponding result of ``matters`` is false."""
    clipped: tuple[tuple[int, int, int, int | None], ...]
    """Columns with their least and greatest number, and the number that means "none", if any."""

    def __call__(self, rows: Rows) -> None:
        columns = rows.T
        if self.zeroed:
            for place, matters in zip(self.zeroed, self.matters(rows), strict=True):
                columns[place] *= matters
        for place, least, most, none in self.clipped:
            column = columns[place]
            absent = None if none is None else column == none
            np.maximum(column, least, out=column)
            np.minimum(column, most, out=column)
            if absent is not None:
                column[absent] = none


@dataclass(frozen=True)
class Step:
    """An action of one copy: its condition and its changes."""

    guard: View
    after: View
    changed: tuple[tuple[int, bool], ...]
    """For each changed field, the index of its column, and whether its value identifies a copy."""
    normal: Normal
