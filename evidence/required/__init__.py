"""Required amounts of work of a run, and the amounts found in its results.

Required amounts are computed independently of the code that does the work.
"""

from rebalance_proofs.evidence.required.reckoned import lacked_by, required

__all__ = ["lacked_by", "required"]
