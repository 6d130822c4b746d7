"""Self-tests: each comparison of a run gets wrong input, and must report it.

There is one file for each comparison.
"""

from rebalance_proofs.evidence.self_tests.run import self_tests

__all__ = ["self_tests"]
