"""The actions of a consumer with an ordered listener, as terms.

A batch is taken, consumed and noted before the next one is: ``ConsumeMessageOrderlyService`` does that under a lock of
the queue, whichever entry that has. That the broker's lock is the consumer's own is not asked here: what can happen
with it can happen without.
"""

from dataclasses import replace
from typing import Any

import z3

from rebalance_proofs.model.offsets import actions, resets
from rebalance_proofs.model.offsets.actions import answered, consumed, found, turn
from rebalance_proofs.model.offsets.encoding import Act, Orderly, Rebalance
from rebalance_proofs.model.offsets.interrupted import interruptible, interrupts, returns_interrupted
from rebalance_proofs.model.offsets.state import Said, State, Turn
from rebalance_proofs.model.terms.truth import NO, YES

__all__ = ["NOWHERE", "encoding"]

NOWHERE = -1
"""In the place of the offset that is pulled next: the first pull had no answer, and the client has not looked."""


def encoding(step: Rebalance, *, heeds: bool) -> Orderly:
    """Of a client with that rebalance; ``heeds``: it asks again where its first pull had no answer."""

    def adds(state: State, said: Said) -> Turn:
        done = actions.added(step, state, said, orderly=True)
        me = done.after.me
        return _but(done, fixed=NO, stands=z3.If(me.present, me.next, me.stands), remains=NO)

    def fixes(state: State, said: Said) -> Turn:
        return _fixed(step, heeds, state, said)

    parts: dict[str, Act] = {
        "arrives": actions.arrives,
        "asks": actions.asks,
        "adds": adds,
        "pulls": _if_fixed(actions.pulls),
        "passes": _if_fixed(actions.passes),
        "starts": _starts,
        "ends": _ends,
        "ends_late": actions.ends_late,
        "fails": actions.fails,
        "others": _others,
        "empty": _if_fixed(actions.empty),
        "records": _records,
        "copies": actions.copies,
        "finishes": actions.finishes,
        "sends": actions.sends,
        "commits": actions.commits,
        "marks": actions.marks,
        "revokes": lambda state, said: actions.revoked(step, state, said, orderly=True),
        "unsubscribes": actions.unsubscribes,
        "forgets": actions.forgets,
        "suspends": lambda state, said: _but(resets.suspends(state, said), remains=NO),
        "rewinds": resets.rewinds,
        "retires": lambda state, said: resets.retires(step, state, said, orderly=True),
        "shuts": actions.shuts,
        "crashes": actions.crashes,
        "fixes": fixes,
        "overtaken": _overtaken,
        "notes": _notes,
        "interrupts": interrupts,
        "returns_interrupted": _returns_interrupted,
        "others_fail": _others_fail,
    }
    return Orderly(step=step, **{name: _counted(interruptible(name, act)) for name, act in parts.items()})


def _but(done: Turn, **me: Any) -> Turn:
    """The same, with these of the consumer's fields."""
    return replace(done, after=replace(done.after, me=replace(done.after.me, **me)))


def _counted(act: Act) -> Act:
    """With what is kept of who is concerned with the queue."""

    def counted(state: State, said: Said) -> Turn:
        done = act(state, said)
        others = z3.And(state.queue.taken, z3.Not(state.me.concerned))
        queue = replace(done.after.queue, taken=z3.Or(others, done.after.me.concerned))
        return replace(done, after=replace(done.after, queue=queue))

    return counted


def _if_fixed(act: Act) -> Act:
    """Messages are pulled when the first pull has its answer, and there is somewhere to pull from."""

    def pulls(state: State, said: Said) -> Turn:
        done = act(state, said)
        return replace(done, can=z3.And(done.can, state.me.fixed, state.me.next != NOWHERE))

    return pulls


def _fixed(step: Rebalance, heeds: bool, state: State, said: Said) -> Turn:
    """``DefaultMQPushConsumerImpl.pullMessage``: the offset is computed as for a new entry, and the entry begins there.

    Up to 4.9 it is not looked at whether there is one. The entry may have been marked since the pull began.
    """
    me = state.me
    answer = z3.If(said.older, said.offset, answered(state, said))
    possible, done = found(step, state, said, answer, orderly=True)
    heard = done.after.present
    after = replace(
        me,
        fixed=heard if heeds else YES,
        began=z3.If(heard, done.begin, me.began),
        next=z3.If(heard, done.begin, me.next if heeds else NOWHERE),
        stands=z3.If(heard, done.begin, me.stands),
        memory=z3.If(answer >= 0, answer, me.memory),
        known=z3.If(heard, z3.If(said.older, said.offset, state.queue.committed), me.known),
    )
    can = z3.And(me.present, z3.Not(me.fixed), possible, z3.Implies(said.older, said.offset >= 0))
    return turn(state, can, after)


def _overtaken(state: State, said: Said) -> Turn:
    """``RemoteBrokerOffsetStore.readOffset`` puts it there. It may happen at any time: whether a first pull has been
    left behind is no part of the state."""
    return turn(state, said.offset >= 0, replace(state.me, memory=said.offset))


def _may_begin(state: State) -> z3.BoolRef:
    """``ConsumeRequest.run`` has the queue's lock in its client, and finds the entry not dropped."""
    me = state.me
    busy = z3.Or(me.runs, me.late, me.noting)
    return z3.And(me.present, z3.Not(me.dropped), z3.Not(busy))


def _starts(state: State, said: Said) -> Turn:
    """``takeMessages`` gives a batch with the message; ``ConsumeRequest.run`` goes on with it after shutdown(), too."""
    me = state.me
    return turn(state, z3.And(_may_begin(state), me.cached, z3.Not(me.remains)), replace(me, runs=YES, cut=NO))


def _returns_interrupted(state: State, said: Said) -> Turn:
    """The batch stands where it is taken to. A reset has emptied that."""
    return _but(returns_interrupted(state, said), remains=z3.And(state.me.cached, z3.Not(state.me.resetting)))


def _ends(state: State, said: Said) -> Turn:
    """``processConsumeResult``: ``commit`` gives the offset behind the batch, whatever becomes of it."""
    me = state.me
    notes = z3.Not(me.dropped)
    # Of an entry that a reset has emptied there is nothing to commit.
    behind = z3.Or(me.resetting, z3.And(state.message < said.offset, said.offset <= me.next))
    after = replace(
        me,
        runs=NO,
        cached=z3.And(me.resetting, me.cached),
        stands=z3.If(me.resetting, me.stands, said.offset),
        noting=notes,
        noted=z3.If(notes, said.offset, me.noted),
        owed=z3.Or(z3.Not(me.resetting), me.owed),
    )
    return turn(state, z3.And(me.runs, z3.Not(me.noting), behind), after, consumed(state.queue))


def _others(state: State, said: Said) -> Turn:
    """A batch without the message is taken, and consumed. Messages are taken in order.

    ``commit`` gives the offset behind the last one that was taken, and takes all of them out: that of an interrupted
    call, too.
    """
    me = state.me
    behind = z3.And(me.stands < said.offset, said.offset <= me.next, said.offset != state.message + 1)
    before = said.offset <= state.message
    first = z3.And(z3.Implies(z3.And(me.cached, z3.Not(me.remains)), before), z3.Implies(me.remains, z3.Not(before)))
    after = replace(
        me,
        stands=said.offset,
        noting=YES,
        noted=said.offset,
        cached=z3.And(me.cached, z3.Not(me.remains)),
        owed=z3.Or(me.owed, me.remains),
        remains=NO,
    )
    return turn(state, z3.And(_may_begin(state), behind, first), after)


def _others_fail(state: State, said: Said) -> Turn:
    """``makeMessageToConsumeAgain``, behind a call with the next message."""
    me = state.me
    can = z3.And(_may_begin(state), me.remains, state.message + 1 < me.next)
    return turn(state, can, replace(me, remains=NO))


def _noticed(done: Turn, before: State, offset: z3.ArithRef) -> Turn:
    """That offset is noted; whether the message is below it."""
    kept = z3.And(before.me.present, offset > before.message)
    queue = replace(done.after.queue, kept=z3.Or(done.after.queue.kept, kept))
    changed = _but(done, owed=z3.And(before.me.owed, z3.Not(kept)))
    return replace(changed, after=replace(changed.after, queue=queue))


def _records(state: State, said: Said) -> Turn:
    return _noticed(actions.records(state, said), state, state.me.recorded)


def _notes(state: State, said: Said) -> Turn:
    """``updateOffset(mq, offset, false)``."""
    me = state.me
    done = turn(state, me.noting, replace(me, noting=NO, memory=me.noted))
    return _noticed(done, state, me.noted)
