"""The obligations about rings, and all small values of their variables."""

from functools import cache

import numpy as np

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.joins import SEVERAL
from rebalance_proofs.proofs.hashing.claims import FILTER, NEAREST, NEAREST_GO, SUBLISTS, SUBLISTS_GO
from rebalance_proofs.proofs.hashing.induction import JOINING, JOINING_GO, OWNER, SAME_OWNER, SUCCESSOR, SUCCESSOR_GO
from rebalance_proofs.proofs.obligation import Obligation

STEPS: dict[str, Obligation] = {
    step.name: step
    for step in (
        *OWNER,
        *SAME_OWNER,
        *SUCCESSOR.obligations(AGREED),
        *JOINING,
        *SUBLISTS,
        *NEAREST,
        *FILTER,
        *SEVERAL.obligations(AGREED),
    )
}
STEPS_GO: dict[str, Obligation] = {
    name: step for name, step in STEPS.items() if step not in SEVERAL.obligations(AGREED)
} | {step.name: step for step in (*SUCCESSOR_GO.obligations(AGREED), *JOINING_GO, *SUBLISTS_GO, *NEAREST_GO)}
"""Obligations about a queue that goes to the first node after its hash."""

RANGES = {
    **dict.fromkeys(("h", "x", "x2", "y", "z"), range(4)),
    **dict.fromkeys(("found", "found2"), range(2)),
    **dict.fromkeys(("o", "o2", "k", "w", "i", "j"), range(3)),
    "c": range(1, 4),
    **{"q": range(1, 5), "p": range(5), "last": range(-1, 4), "mine": range(2)},
}
"""Small ranges: hash values, truth values, consumers, numbers of consumers, and positions of mqAll."""


def rows(obligation: Obligation) -> np.ndarray:
    """All combinations of small values; one row for each variable."""
    ranges = [RANGES[name] for name in obligation.variables]
    offsets = np.array([[values[0]] for values in ranges])
    return np.indices([len(values) for values in ranges]).reshape(len(ranges), -1) + offsets


@cache
def verdicts(obligation: Obligation, encoding) -> tuple[np.ndarray, np.ndarray]:
    """The small values for which the premises hold, one column each, and whether the conclusion holds for them."""
    statement = obligation.statement(encoding)
    kernel = compile_kernel(obligation.variables, smt.And(*statement.given.values()), statement.then)
    values = rows(obligation)
    met, holds = (np.broadcast_to(column, values.shape[1]) for column in kernel(*values))
    return values[:, met], holds[met]
