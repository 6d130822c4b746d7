"""Cone of influence: the fields of a machine's state that can influence a claim.

They are found in the terms; explorations ignore all other fields.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from rebalance_proofs.model.machine.machine import Act, act_of
from rebalance_proofs.model.machine.values import term
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import unknowns
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.compiled import AnyConfiguration, mattering, permitted, turn_of

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
    return None if smt.is_false(simplify(can)) else unknowns(can)


@cache
def _comes_from(of: AnyConfiguration, act: Act[Any, Any, Any]) -> Mapping[str, set[str]]:
    """Return, for each state field, the unknowns that influence its value after the action."""
    return {name: unknowns(getattr(turn_of(of, act).after, name)) for name in of.own}
