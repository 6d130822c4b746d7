"""A guarantee: in words, as obligations, as terms about what there can be, as a test of what a client's code did."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import z3

from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.world import World


@dataclass(frozen=True)
class Guarantee:
    """One promise about the results of a group, or about what rounds do to a client's table."""

    name: str
    sentence: str
    source: str
    obligations: Callable[[Any], tuple[Obligation, ...]]
    """``obligations(world)``: together they give the guarantee there, for every size; none where it does not hold."""
    violated: Callable[[Any], z3.BoolRef]
    """The guarantee does not hold in this situation (``model.worlds.groups.SymbolicGroup``, ``model.transition...``).

    May use unknowns of its own besides the situation's.
    """
    violation: Callable[..., str | None]
    """What is wrong with what the code did there, in one sentence; None when the guarantee holds.

    ``violation(group, results)`` of a group and what its consumers took, ``violation(rounds)`` of a client's rounds.
    """


def always(*steps: Obligation) -> Callable[[World], tuple[Obligation, ...]]:
    """The same obligations in every world."""
    return lambda world: steps


def agreed(
    *steps: Obligation, without: Mapping[str, tuple[Obligation, ...]] = MappingProxyType({})
) -> Callable[[World], tuple[Obligation, ...]]:
    """The obligations where every premise holds; without a premise those that are told by its name, and else none."""
    return lambda world: without.get(world.name, ()) if world.dropped else steps
