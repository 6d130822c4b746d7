"""An action's terms as a NumPy function of all unknowns by their names (``variables.NAMES``)."""

from collections.abc import Callable

import z3

from rebalance_proofs.model.offsets.encoding import Act
from rebalance_proofs.model.offsets.state import Said, State
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.proofs.guarded import Guarded, compile_guarded
from rebalance_proofs.proofs.offsets.variables import NAMES, said_of, state_of, unknowns

__all__ = ["compiled"]

Allowed = Callable[[State, Said], z3.BoolRef]


def compiled(act: Act, allowed: Allowed = lambda state, said: YES) -> Guarded:
    """Whether it can happen; and what is so then, of the consumer, and of what all share."""
    v = unknowns()
    before, said = state_of(v), said_of(v)
    turn = act(before, said)
    after = [*vars(turn.after.me).values(), *vars(turn.after.queue).values()]
    return compile_guarded(NAMES, z3.And(turn.can, allowed(before, said)), *after)
