"""What a wrong encoding would have the consumers do, as results; and whether the test of results finds it wrong."""

from rebalance_proofs.evidence.mutants.found import found_wrong, violation_tests

__all__ = ["found_wrong", "violation_tests"]
