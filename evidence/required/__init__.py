"""How much work a run requires, reckoned apart from the loops that do it, and how much its results have."""

from rebalance_proofs.evidence.required.reckoned import lacked_by, required

__all__ = ["lacked_by", "required"]
