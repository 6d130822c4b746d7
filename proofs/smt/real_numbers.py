"""Test of linearization at random numbers.

Every formula that it adds must be true for true products and quotients. Rewritten formulas must have the same value
as the original formulas.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel, unknowns
from rebalance_proofs.proofs.smt.linear import NO_INSTANCES, Instances, Linear
from rebalance_proofs.proofs.smt.text import shown

SAMPLES = 512
RANGES = ((-2, 3), (0, 8), (1, 40), (-40, 40))
"""Ranges of the random numbers; small ones make edge cases likely.

An edge case is the largest remainder. Four such factors fit into 64 bits.
"""


def tried(linear: Linear, seed: int = 0) -> Instances:
    """Evaluate all definitions, lemma instances and rewritten formulas at random numbers.

    Products and quotients have their true values.
    """
    added = (*linear.definitions, *linear.lemmas)
    rewritten = [new == old for new, old in zip(linear.formulas, linear.given, strict=True) if new is not old]
    meant = (*added, *rewritten)
    if not meant:
        return NO_INSTANCES
    values = _values(linear, meant, seed)
    for place, truth in enumerate(compile_kernel(list(values), *meant)(*values.values())):
        wrong = np.flatnonzero(~np.broadcast_to(truth, SAMPLES))
        if wrong.size:
            return Instances(len(added), _said(meant[place], values, int(wrong[0])))
    return Instances(len(added), "")


def _values(linear: Linear, meant: Sequence[smt.BoolTerm], seed: int) -> Mapping[str, np.ndarray]:
    drawn = np.random.default_rng(seed)
    terms = [*meant, *linear.meanings.values()]
    names = sorted(set().union(*map(unknowns, terms)) - set(linear.meanings))
    low, high = np.resize(RANGES, (SAMPLES, 2)).T
    values = {name: drawn.integers(low, high, endpoint=True) for name in names}
    for name, meaning in linear.meanings.items():
        (found,) = compile_kernel(list(values), meaning)(*values.values())
        values[name] = np.broadcast_to(found, SAMPLES)
    return values


def _said(formula: smt.BoolTerm, values: Mapping[str, np.ndarray], sample: int) -> str:
    at = ", ".join(f"{name} = {values[name][sample]}" for name in sorted(unknowns(formula)))
    return f"{shown(formula)} is false at {at}"
