"""The lemma "steps" about multiples of c, where a factor is a sum of quotients.

The instances of lemma.monotone are about products of unknowns. If a factor is a sum of quotients, an instance of this
lemma is an assumption instead.
"""

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.obligation import Obligation, Statement


def steps(c: smt.IntTerm, x: smt.IntTerm, y: smt.IntTerm) -> smt.BoolTerm:
    """Return the instance of the lemma for c, x and y: about the multiples c * x and c * y.

    They are equal if x and y are equal; otherwise they differ by at least c.
    """
    return smt.And(
        smt.Implies(x == y, c * x == c * y),
        smt.Implies(x < y, c * x + c <= c * y),
        smt.Implies(y < x, c * y + c <= c * x),
    )


STEPS = Obligation(
    "steps",
    "Two multiples of a number are equal if their factors are; otherwise one exceeds the other by at least the number.",
    ("c", "x", "y"),
    lambda e, v: Statement({"c is not negative": v.c >= 0}, steps(v.c, v.x, v.y)),
)
