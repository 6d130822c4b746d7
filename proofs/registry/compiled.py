"""An action's terms as a NumPy function of all unknowns by their names (``variables.NAMES``)."""

from functools import cache

import z3

from rebalance_proofs.model.registry.actions import Act
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Said, State
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.proofs.guarded import Guarded, compile_guarded
from rebalance_proofs.proofs.registry.variables import NAMES, limits_of, said_of, state_of, unknowns

__all__ = ["compiled", "condition", "given"]


@cache
def given() -> tuple[State, Said, Limits]:
    """Of which every kernel is made: making the unknowns anew takes longer than a kernel does."""
    v = unknowns()
    return state_of(v), said_of(v), limits_of(v)


@cache
def compiled(act: Act) -> Guarded:
    """Whether it can happen; and what is so then, of the member."""
    turn = act(*given())
    return compile_guarded(NAMES, turn.can, *vars(turn.after.me).values())


def condition(of: z3.BoolRef) -> Kernel:
    """Whether that is so, of the unknowns that are given."""
    return compile_kernel(NAMES, of)
