"""How to look for counterexamples: depends on what the claim's premise describes."""

from collections.abc import Awaitable, Callable
from functools import singledispatch
from typing import Any, NamedTuple

from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs import smallest
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Search
from rebalance_proofs.proofs.transition import search as transitions
from rebalance_proofs.proofs.transition.scenario import Scenario


class Searches(NamedTuple):
    """The two searches."""

    search: Callable[..., Awaitable[Search]]
    """``search(subject, guarantee, premise, strategies, pool)``: the smallest counterexample of a claim."""
    violation: Callable[..., Awaitable[Question | None]]
    """``violation(subject, guarantee, premise, encodings, pool)``: any, for a wrong encoding."""


@singledispatch
def searches(world: Any) -> Searches:
    """The searches for claims under such a premise."""
    raise TypeError(f"no search for a premise of type {type(world).__name__}")


@searches.register
def _(world: Groups) -> Searches:
    return Searches(smallest.search, smallest.violation)


@searches.register
def _(world: Scenario) -> Searches:
    return Searches(transitions.search, transitions.violation)
