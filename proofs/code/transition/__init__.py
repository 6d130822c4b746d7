"""Comparison of a client's code with its terms, for one queue of a rebalance.

The code runs on symbolic numbers.

The client's code is not changed: state and answers are unknowns that its code may compare and compute with. At every
comparison that is not constant, both branches are taken.
"""

from rebalance_proofs.proofs.code.transition.obligation import obligation

__all__ = ["obligation"]
