"""A client's own code for one queue of a rebalance, run on symbolic numbers and compared with the client's terms.

Nothing of the client is rewritten: state and answers are unknowns that its code may compare and compute with, and both
branches are taken at every comparison that is not constant.
"""

from rebalance_proofs.proofs.code.transition.obligation import obligation

__all__ = ["obligation"]
