"""Required amounts of work of a run, computed independently of the code that does the work, and the amounts found."""

from rebalance_proofs.evidence.required.reckoned import lacked_by, required

__all__ = ["lacked_by", "required"]
