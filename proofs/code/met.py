"""Check that a formula is true for some small numbers.

This shows that assumptions are satisfiable.
"""

from itertools import product

import numpy as np

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel, unknowns
from rebalance_proofs.proofs.texts import SIZES
from rebalance_proofs.proofs.vacuity.goals import FINITE


def met(names: tuple[str, ...], formula: smt.BoolTerm) -> bool:
    """Return whether the formula is true for some small values of ``names``.

    The numbers q and c of queues and consumers are from ``SIZES``. The other unknowns have values from their finite
    set, or from 0 up to the larger of q and c plus one.
    """
    names = tuple(name for name in names if name in unknowns(formula) | {"q", "c"})
    kernel = compile_kernel(names, formula)
    for q, c in SIZES:
        sized = {"q": (q,), "c": (c,)}
        ranges = [sized.get(name) or FINITE.get(name) or range(max(q, c) + 2) for name in names]
        columns = np.array(list(product(*ranges)), dtype=np.int64).T
        if np.any(kernel(*columns)[0]):
            return True
    return False
