"""A replica of the broker with a table of offsets of its own, as terms: it answers, and takes commits, while the route
has no master (``MQClientInstance.findBrokerAddressInSubscribe``; up to 4.9.2 ``findBrokerAddressInAdmin``)."""

from dataclasses import replace

import z3

from rebalance_proofs.model.offsets.actions import turn
from rebalance_proofs.model.offsets.encoding import Act
from rebalance_proofs.model.offsets.state import Said, State, Turn

__all__ = ["beside_a_replica", "replicates", "swaps"]


def replicates(state: State, said: Said) -> Turn:
    """``SlaveSynchronize.syncConsumerOffset``, every 10 s: the replica's table is overwritten with the master's."""
    queue = state.queue
    return turn(state, z3.BoolVal(True), state.me, replace(queue, copied=queue.committed))


def swaps(state: State, said: Said) -> Turn:
    """The replica takes the master's place: what it has is what is committed from now on. The other one is a replica
    then, with what it had."""
    queue = state.queue
    after = replace(queue, committed=queue.copied, copied=queue.committed, back=queue.copied < queue.committed)
    return turn(state, z3.BoolVal(True), state.me, after)


def beside_a_replica(name: str, act: Act) -> Act:
    """The action of that name; a query or a commit can reach the replica in the master's place."""
    by_name = {"asks": _asks, "commits": _commits}
    return by_name[name](act) if name in by_name else act


def _asks(act: Act) -> Act:
    def asks(state: State, said: Said) -> Turn:
        queue = state.queue
        stored = z3.If(said.replica, queue.copied, queue.committed)
        done = act(replace(state, queue=replace(queue, committed=stored)), said)
        me = replace(done.after.me, known=queue.committed)
        return replace(done, after=replace(done.after, me=me, queue=queue))

    return asks


def _commits(act: Act) -> Act:
    def commits(state: State, said: Said) -> Turn:
        done, before = act(state, said), state.queue
        then = done.after.queue
        queue = replace(
            then,
            committed=z3.If(said.replica, before.committed, then.committed),
            back=z3.And(then.back, z3.Not(said.replica)),
            copied=z3.If(said.replica, state.me.sent, before.copied),
        )
        return replace(done, after=replace(done.after, queue=queue))

    return commits
