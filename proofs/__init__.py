"""Claims about rebalance, their proof obligations, and the engine that checks them.

Solvers prove the obligations or refute them.
"""
