"""Self-tests: each comparer of a run is given something wrong, and has to notice. One comparer a file."""

from rebalance_proofs.evidence.self_tests.run import self_tests

__all__ = ["self_tests"]
