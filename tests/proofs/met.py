"""Obligations evaluated at values of their variables."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.obligation import Obligation

Row = TypeVar("Row")


MANY, SPREAD = 500, 7
"""Above MANY combinations of values only every SPREADth is tried; no variable has seven values. All in slow runs."""


def spread(rows: Iterable[Row], every: int = SPREAD) -> list[Row]:
    """The rows, thinned out if there are many."""
    found = list(rows)
    return found[:: every if len(found) > MANY else 1]


def met(
    obligation: Obligation, encoding: Any, rows: Iterable[Mapping[str, int]]
) -> Iterator[tuple[Mapping[str, int], bool]]:
    """The rows for which the premises hold, and whether the conclusion holds there."""
    for values in rows:
        statement = obligation.statement(encoding, values)
        if all(smt.is_true(simplify(world)) for world in statement.given.values()):
            yield values, smt.is_true(simplify(statement.then))
