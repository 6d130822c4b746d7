"""An action's terms as a NumPy function of all unknowns by their names (``variables.NAMES``)."""

from collections.abc import Callable, Sequence

import z3

from rebalance_proofs.model.ordered.actions import Act
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Said, State
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.proofs.guarded import Guarded, compile_guarded
from rebalance_proofs.proofs.ordered.variables import NAMES, limits_of, said_of, state_of, unknowns

__all__ = ["compiled"]

Allowed = Callable[[State, Said, Limits], z3.BoolRef]


def compiled(act: Act, own: Sequence[str], allowed: Allowed = lambda state, said, limits: YES) -> Guarded:
    """Whether it can happen; and what is so then: these fields of the consumer, the lock's holder, and its time."""
    v = unknowns()
    before, said, limits = state_of(v), said_of(v), limits_of(v)
    turn = act(before, said, limits)
    after, lock = [getattr(turn.after.me, name) for name in own], turn.after.lock
    return compile_guarded(NAMES, z3.And(turn.can, allowed(before, said, limits)), *after, lock.holder, lock.updated)
