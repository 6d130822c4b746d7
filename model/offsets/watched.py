"""What claims about a hand-over have to know besides: who has the queue, and what a message was consumed twice for."""

from dataclasses import replace

import z3

from rebalance_proofs.model.offsets.encoding import Act
from rebalance_proofs.model.offsets.state import Consumer, Queue, Said, State, Turn

__all__ = ["watched"]


def watched(name: str, act: Act) -> Act:
    """The action of that name of a consumer without an ordered listener, with what is kept for claims alone."""

    def does(state: State, said: Said) -> Turn:
        done = act(state, said)
        me, queue = _asked(name, state, done.after.me), _returned(name, state, done.after.queue)
        others = z3.And(state.queue.taken, z3.Not(state.me.has_or_asks))
        queue = replace(queue, taken=z3.Or(others, me.has_or_asks))
        return replace(done, after=replace(done.after, me=me, queue=queue))

    return does


def _asked(name: str, state: State, me: Consumer) -> Consumer:
    if name != "asks":
        return me
    queue = state.queue
    return replace(me, uncommitted=z3.And(queue.consumed, queue.committed <= state.message))


def _returned(name: str, state: State, queue: Queue) -> Queue:
    """What is known of a second return."""
    me, before = state.me, state.queue
    twice = z3.And(before.consumed, z3.Not(before.overtime))
    if name in ("ends", "returns_interrupted"):
        return replace(queue, excess=z3.Or(before.excess, z3.And(twice, z3.Not(me.uncommitted))))
    if name == "ends_late":
        excess = z3.Or(before.excess, z3.And(twice, me.begun_late))
        return replace(queue, overtime=z3.Or(before.overtime, z3.Not(me.begun_late)), excess=excess)
    return queue
