"""The lemma about monotone products, as an obligation.

Its instances constrain the named products in other texts.
"""

from rebalance_proofs.proofs.obligation import Obligation, Statement

MONOTONE = Obligation(
    "lemma.monotone",
    "Multiplication by z >= 0 is monotone.",
    ("x", "y", "z"),
    lambda encoding, v: Statement({"z is not negative": v.z >= 0, "x at most y": v.x <= v.y}, v.x * v.z <= v.y * v.z),
    logic="QF_NIA",
)
