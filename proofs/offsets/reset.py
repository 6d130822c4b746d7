"""What is always so while the offset of a queue is reset in its consumer: the offset that is sent is the reset's."""

from collections.abc import Mapping

import z3

from rebalance_proofs.model.offsets.state import State
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.invariant import ALONE, HELD, STEADY, Conjunct, named, offsets

__all__ = ["reset_sent"]


def _marked(state: State) -> z3.BoolRef:
    me = state.me
    quiet = z3.Not(z3.Or(me.recording, me.noting))
    return z3.Implies(me.resetting, z3.And(me.present, me.dropped, quiet, me.aim >= 0))


def reset_sent(world: Brokers) -> Mapping[str, Conjunct]:
    """That nothing gets between a reset's offset and its being sent."""
    return named(
        HELD,
        ALONE,
        offsets(world),
        STEADY,
        Conjunct(
            "marked",
            "An entry whose offset is reset is marked, and nothing of it is about to be noted.",
            _marked,
        ),
        Conjunct(
            "rewound",
            "The offset in memory is the reset's, where that has put it there.",
            lambda state: z3.Implies(state.me.rewound, z3.And(state.me.resetting, state.me.memory == state.me.aim)),
        ),
        Conjunct("unmissed", "No reset has sent another offset.", lambda state: z3.Not(state.me.missed)),
    )
