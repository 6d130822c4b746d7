"""A lock that a consumer leaves behind when it is shut down."""

import z3

from rebalance_proofs.model.ordered.state import State

__all__ = ["is_kept"]


def is_kept(state: State) -> z3.BoolRef:
    """The shutdown is over, nothing is under way, and the lock is the consumer's still."""
    me = state.me
    over = z3.And(me.yielded, me.closed, z3.Not(me.unlocking))
    return z3.And(over, state.lock.holder == me.client_id)
