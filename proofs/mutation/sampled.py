"""Random search for numbers of queues and consumers at which a mutant fails an obligation.

The result is a hint for the solvers, not yet an answer.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.vacuity.goals import FINITE

SAMPLES = 30_000
RANGES = {"q": (1, 13), "c": (1, 7)}
OTHERS = (-1, 13)


def failing_size(obligation: Obligation, encoding: Any) -> Mapping[str, int] | None:
    """Return numbers of queues and consumers at which the obligation fails for the encoding.

    Only variables of the obligation have numbers. None if none are found.
    """
    statement = obligation.statement(encoding)
    fails = smt.And(*statement.given.values(), smt.Not(statement.then))
    drawn = np.random.default_rng(0)
    values = {name: _drawn(name, drawn) for name in obligation.variables}
    (found,) = compile_kernel(list(values), fails)(*values.values())
    places = np.flatnonzero(np.broadcast_to(found, SAMPLES))
    if not places.size:
        return None
    return {name: int(values[name][places[0]]) for name in RANGES if name in values}


def _drawn(name: str, drawn: np.random.Generator) -> np.ndarray:
    if name in FINITE:
        return drawn.choice(np.array(FINITE[name]), SAMPLES)
    return drawn.integers(*RANGES.get(name, OTHERS), SAMPLES)
