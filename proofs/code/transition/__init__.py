"""A client's own code for one queue of a rebalance, run on numbers that are terms, against the client's terms.

Nothing of the client is rewritten: state and answers are unknowns that its code may compare and compute with, and
every comparison that does not decide itself is gone both ways.
"""

from rebalance_proofs.proofs.code.transition.obligation import obligation

__all__ = ["obligation"]
