"""An action's terms as a NumPy function of all unknowns by their names (``variables.NAMES``)."""

import z3

from rebalance_proofs.model.subscriptions.actions import Act
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.proofs.guarded import Guarded, compile_guarded
from rebalance_proofs.proofs.subscriptions.variables import NAMES, limits_of, said_of, state_of, unknowns

__all__ = ["compiled"]


def compiled(act: Act, allowed: z3.BoolRef = YES) -> Guarded:
    """Whether it can happen, where that is allowed; and what is so then."""
    v = unknowns()
    turn = act(state_of(v), said_of(v), limits_of(v))
    return compile_guarded(NAMES, z3.And(turn.can, allowed), *vars(turn.after.me).values())
