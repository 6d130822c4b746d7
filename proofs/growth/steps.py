"""The lemma "steps": lemma.monotone for products in which a factor is a sum of quotients.

The instances of lemma.monotone are about products of unknowns. Where a factor is a sum of quotients, an instance of
this lemma is stated among the premises instead.
"""

import z3

from rebalance_proofs.proofs.obligation import Obligation, Statement

__all__ = ["STEPS", "steps"]


def steps(c: z3.ArithRef, x: z3.ArithRef, y: z3.ArithRef) -> z3.BoolRef:
    """Instance of the lemma: multiples by c of equal numbers are equal; those of different ones differ by at least
    c."""
    return z3.And(
        z3.Implies(x == y, c * x == c * y),
        z3.Implies(x < y, c * x + c <= c * y),
        z3.Implies(y < x, c * y + c <= c * x),
    )


STEPS = Obligation(
    "steps",
    "Two multiples of a number are equal as their factors are, or one exceeds the other by at least the number.",
    ("c", "x", "y"),
    lambda e, v: Statement({"c is not negative": v.c >= 0}, steps(v.c, v.x, v.y)),
)
