"""The lemma "spread": x * y - x * z is at least x if y > z and x >= 0.

It serves the proofs about blocks of adjacent queues. If x is an unknown, instances of lemma.monotone imply it. They
are about products of unknowns, and do not cover the number of consumers after i. In that case, an instance of this
lemma is an assumption.
"""

from types import SimpleNamespace

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.obligation import Obligation, Statement


def _at_least(x: smt.IntTerm, y: smt.IntTerm, z: smt.IntTerm) -> smt.BoolTerm:
    return x <= x * (y - z)


SPREAD = Obligation(
    "spread",
    "A nonnegative number times a positive difference is at least that number.",
    ("x", "y", "z"),
    lambda e, v: Statement({"x is not negative": v.x >= 0, "y is greater": v.y > v.z}, _at_least(v.x, v.y, v.z)),
)


def spread(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return an instance of the lemma as an assumption.

    It is about the consumers after ``i``, q div c and q div (c + 1).
    """
    return {"spread, of c - i - 1, q div c, q div (c + 1)": instance(v.c - v.i - 1, v.q / v.c, v.q / (v.c + 1))}


def instance(x: smt.IntTerm, y: smt.IntTerm, z: smt.IntTerm) -> smt.BoolTerm:
    """Return the instance of the lemma for x, y and z."""
    return smt.Implies(smt.And(x >= 0, y > z), _at_least(x, y, z))
