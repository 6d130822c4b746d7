"""The amount of work that a run requires, computed independently of the code that does it, and the amount found."""

from rebalance_proofs.evidence.required.reckoned import lacked_by, required

__all__ = ["lacked_by", "required"]
