"""Something wrong is given to each comparer of the run, which has to say so. One comparer a file."""

from rebalance_proofs.evidence.self_tests.run import self_tests

__all__ = ["self_tests"]
