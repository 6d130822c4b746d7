"""shutdown() that interrupts running listeners, as terms: what such a call leaves open when it returns.

``ThreadUtils.shutdownGracefully`` waits for ``awaitTerminationMillisWhenShutdown``, 0 as shipped, and calls
``shutdownNow``: from 4.7.1 on. Offsets are sent after that (``DefaultMQPushConsumerImpl.shutdown``).
"""

from dataclasses import replace

import z3

from rebalance_proofs.model.offsets.actions import consumed, turn
from rebalance_proofs.model.offsets.encoding import Act
from rebalance_proofs.model.offsets.state import Said, State, Turn
from rebalance_proofs.model.terms.truth import NO, YES

__all__ = ["RETURNS", "interruptible", "interrupts", "returns_interrupted"]

RETURNS = ("ends", "ends_late", "returns_interrupted")
"""Actions with which a listener returns from the message, as consumed or given back."""


def interrupts(state: State, said: Said) -> Turn:
    """``ThreadPoolExecutor.shutdownNow``, once. Requests that wait for a thread are not run any more; a call whose
    thread has taken its request is one that has begun."""
    me = state.me
    after = replace(me, interrupted=YES, cut=z3.Or(me.runs, me.late))
    return turn(state, z3.Not(z3.Or(me.interrupted, me.closed)), after)


def returns_interrupted(state: State, said: Said) -> Turn:
    """The listener returns with its thread's interrupt status set: ``ProcessQueue.removeMessage``, or ``commit``, which
    take their lock by ``lockInterruptibly``, give -1, and the status is clear. So nothing is noted just then."""
    me = state.me
    return turn(state, z3.And(me.runs, me.cut), replace(me, runs=NO), consumed(state.queue))


def interruptible(name: str, act: Act) -> Act:
    """The action of that name, with what is kept of whether a listener has done its work with the message."""
    if name not in RETURNS:
        return act

    def does(state: State, said: Said) -> Turn:
        done = act(state, said)
        queue = done.after.queue
        finished = z3.Or(state.queue.finished, z3.Not(said.half))
        after = replace(done.after, queue=replace(queue, finished=finished))
        return replace(done, can=z3.And(done.can, z3.Implies(said.half, state.me.cut)), after=after)

    return does
