"""Registry of solvers.

To add a solver, write its module in this folder and name it in ``SOLVERS``.
"""

from rebalance_proofs.proofs.solvers.answer import Answer, Outcome, Solver
from rebalance_proofs.proofs.solvers.cvc5_ import CVC5
from rebalance_proofs.proofs.solvers.z3_ import Z3

SOLVERS: dict[str, Solver] = {solver.name: solver for solver in (Z3, CVC5)}

__all__ = ["SOLVERS", "Answer", "Outcome", "Solver"]
