"""Self-tests: each comparer of a run gets wrong input, and must report it.

One comparer per file.
"""

from rebalance_proofs.evidence.self_tests.run import self_tests

__all__ = ["self_tests"]
