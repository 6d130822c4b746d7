"""Comparison of a client's rebalance code with its SMT terms, for one queue.

The client's code is not changed. It runs on symbolic numbers: the queue's state and the broker's answers are unknowns
that the code may compare and compute with. At every comparison that is not constant, both branches are taken.
"""

from rebalance_proofs.proofs.code.transition.obligation import obligation

__all__ = ["obligation"]
