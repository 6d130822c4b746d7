"""The truth values ``YES`` and ``NO`` as terms."""

from rebalance_proofs.model.terms import smt

YES, NO = smt.BoolVal(True), smt.BoolVal(False)
