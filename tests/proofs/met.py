"""Obligations evaluated at values of their variables."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import z3

from rebalance_proofs.proofs.obligation import Obligation

Row = TypeVar("Row")


MANY, SPREAD = 500, 7
"""Of that many small values every seventh is looked at, since none of the variables has seven; all when slow."""


def spread(rows: Iterable[Row], every: int = SPREAD) -> list[Row]:
    """The rows if they are few; or every so-manieth of them."""
    found = list(rows)
    return found[:: every if len(found) > MANY else 1]


def met(
    obligation: Obligation, encoding: Any, rows: Iterable[Mapping[str, int]]
) -> Iterator[tuple[Mapping[str, int], bool]]:
    """The rows at which the premises are met, and whether the conclusion is true there."""
    for values in rows:
        statement = obligation.statement(encoding, values)
        if all(z3.is_true(z3.simplify(world)) for world in statement.given.values()):
            yield values, z3.is_true(z3.simplify(statement.then))
