"""A reset of a queue's offset in the client that has the queue, as terms (``MQClientInstance.resetOffset``).

The broker asks each consumer for it, or its user does. The consumer is suspended, its entry marked and emptied; ten
seconds later the offset is put into the memory and sent, the entry goes, and the consumer is resumed, which rebalances.
"""

from dataclasses import replace

import z3

from rebalance_proofs.model.offsets.actions import gone, revoked, turn
from rebalance_proofs.model.offsets.encoding import Rebalance
from rebalance_proofs.model.offsets.state import Said, State, Turn
from rebalance_proofs.model.terms.truth import NO, YES

__all__ = ["RESETTING", "retires", "rewinds", "suspends"]

RESETTING = ("suspends", "rewinds", "retires")
"""The actions."""


def suspends(state: State, said: Said) -> Turn:
    """``suspend``; ``ProcessQueue.setDropped``, ``clear``: a listener that is called goes on."""
    me = state.me
    aim = z3.If(said.zero, 0, said.offset)
    can = z3.And(me.present, z3.Not(me.resetting), 0 <= aim, aim <= state.queue.end)
    return turn(state, can, replace(me, resetting=YES, rewound=NO, aim=aim, aimed=NO, dropped=YES, cached=NO))


def rewinds(state: State, said: Said) -> Turn:
    """``updateConsumeOffset``: ten seconds later, whatever is there."""
    me = state.me
    return turn(state, z3.And(me.resetting, z3.Not(me.rewound)), replace(me, memory=me.aim, rewound=YES))


def retires(step: Rebalance, state: State, said: Said, orderly: bool = False) -> Turn:
    """``removeUnnecessaryMessageQueue``, and the entry is taken out whatever that says; ``resume`` comes next."""
    me = state.me
    done = revoked(step, state, said, orderly).after.me
    after = replace(gone(done, YES), aimed=YES, missed=z3.Or(me.missed, me.memory != me.aim))
    return turn(state, z3.And(me.resetting, me.rewound), after)
