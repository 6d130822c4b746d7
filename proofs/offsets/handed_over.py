"""What is always so of a queue that is handed over to concurrent consumers: what is consumed twice has a reason."""

from collections.abc import Mapping

import z3

from rebalance_proofs.model.offsets.state import State
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.invariant import (
    ALONE,
    COUNTED,
    Conjunct,
    named,
    only_uncommitted,
)

__all__ = ["handed_over"]


def _to_come(state: State) -> z3.BoolRef:
    """The entry can still have its listener return from the message."""
    me = state.me
    waiting = z3.And(z3.Not(me.dropped), z3.Or(me.next <= state.message, me.cached))
    return z3.Or(me.asking, z3.And(me.present, z3.Or(me.runs, waiting)))


def _reason(state: State) -> z3.BoolRef:
    me, queue = state.me, state.queue
    again = z3.And(_to_come(state), queue.consumed, state.message >= me.known)
    return z3.Implies(again, z3.Or(me.uncommitted, queue.overtime))


def _behind(state: State) -> z3.BoolRef:
    me = state.me
    return z3.Implies(z3.Or(me.cached, me.runs), z3.And(me.present, me.next > state.message))


TAKEN = Conjunct(
    "taken",
    "A queue of which a consumer has an entry, or for which it asks, is taken.",
    lambda state: z3.Implies(state.me.has_or_asks, state.queue.taken),
)
STOPPED = Conjunct(
    "stopped",
    "No call has begun after its entry had left.",
    lambda state: z3.Not(state.me.begun_late),
)


def handed_over(world: Brokers) -> Mapping[str, Conjunct]:
    """That a message is consumed twice only where it was consumed and not committed when its consumer asked, or where a
    call returns that an entry left behind."""
    return {
        **only_uncommitted(world),
        **named(
            COUNTED,
            TAKEN,
            ALONE,
            STOPPED,
            Conjunct(
                "reason",
                "What was consumed, and may be so again, was consumed and not committed, or consumed by such a call.",
                _reason,
            ),
            Conjunct("behind", "A message that is with an entry is below what it pulls next.", _behind),
        ),
    }
