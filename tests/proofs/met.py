"""Obligations evaluated at values of their variables."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import z3

from rebalance_proofs.proofs.obligation import Obligation


def met(
    obligation: Obligation, encoding: Any, rows: Iterable[Mapping[str, int]]
) -> Iterator[tuple[Mapping[str, int], bool]]:
    """The rows at which the premises are met, and whether the conclusion is true there."""
    for values in rows:
        statement = obligation.statement(encoding, values)
        if all(z3.is_true(z3.simplify(world)) for world in statement.given.values()):
            yield values, z3.is_true(z3.simplify(statement.then))
