"""A lemma for proofs about quotients that are sums: lemma.monotone for them.

The instances of lemma.monotone are about products of unknowns. Where one side is a sum of quotients, this instance
stands among the premises.
"""

import z3

from rebalance_proofs.proofs.obligation import Obligation, Statement

__all__ = ["STEPS", "steps"]


def steps(c: z3.ArithRef, x: z3.ArithRef, y: z3.ArithRef) -> z3.BoolRef:
    """Equal numbers stay equal when multiplied by c, of different ones the larger then exceeds the other by c."""
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
