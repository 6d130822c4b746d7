"""What can happen to one queue and one message in it, action by action, as terms: of one consumer, and the broker."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import z3

from rebalance_proofs.model.client.effects import UPDATE_OFFSET
from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.client.process_queue import FREE
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.offsets.state import NONE, Consumer, Queue, Said, State, Turn
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.model.transition.numbers import (
    BROKER_ERROR,
    NO_OFFSET,
    UNANSWERED,
    WHERES,
)
from rebalance_proofs.model.transition.push import push
from rebalance_proofs.model.transition.step import NOTHING_THROWN, PULL_IDLE_LIMIT, Asked, Entry, Step, Thrown, happens

__all__ = ["Act", "OffsetsEncoding", "Rebalance", "encoding"]

Rebalance = Callable[[Entry, Asked, Thrown], Step]
Act = Callable[[State, Said], Turn]


@dataclass(frozen=True)
class OffsetsEncoding:
    """What one consumer can do with a queue, and the broker with its messages.

    ``ProcessQueue``'s tree has other messages besides the one that is looked at. They are the open numbers: where a
    pull ends, and what the first offset of the tree is.
    """

    step: Rebalance
    """The client's rebalance of one queue."""
    asks: Act
    """A rebalance finds the queue to be new, and asks for the offset that is committed; the broker answers, or not."""
    adds: Act
    """It hears that, and adds the queue, or has nowhere to begin."""
    pulls: Act
    """The message is pulled, with others; the answer may find the entry dropped."""
    passes: Act
    """Others are pulled, or none; not this one."""
    starts: Act
    """The listener is called with the message."""
    ends: Act
    """It returns, and the message is consumed, or given back to the broker to be retried. Where the entry is not
    dropped, the message is taken out of it, and the first offset that is left is about to be recorded."""
    ends_late: Act
    """The same of a call for an entry that has left the table: nothing is recorded."""
    cleans: Act
    """The message has been with the listener for too long: it is given back to be retried, and taken out."""
    fails: Act
    """It returns, and the message can neither be counted as consumed nor given back: it stays, to be tried later."""
    others: Act
    """It returns from another message, and the first offset that is left is about to be recorded."""
    empty: Act
    """A pull has found nothing, and the entry has no messages: its next offset is about to be recorded."""
    records: Act
    """What is about to be recorded is put into the memory, unless that has more."""
    sends: Act
    """The memory's offset is sent to the broker: every five seconds, and with pulls."""
    commits: Act
    """A commit arrives at the broker."""
    marks: Act
    """A rebalance marks the entry. Up to 4.9 it removes it next; from 5.0 on, when all that have to go are marked."""
    revokes: Act
    """A rebalance takes the entry away: it is not the consumer's any more, or no message was pulled for too long."""
    unsubscribes: Act
    """The topic is not subscribed any more: the entry goes, and no more."""
    forgets: Act
    """The offset of a queue without an entry is forgotten (``persistAll``)."""
    shuts: Act
    """The consumer is shut down: offsets are sent, and the table is emptied."""
    crashes: Act
    """The consumer's process ends at once."""


def encoding(step: Rebalance) -> OffsetsEncoding:
    """Of a client with that rebalance."""

    def adds(state: State, said: Said) -> Turn:
        return _added(step, state, said)

    def revokes(state: State, said: Said) -> Turn:
        return _revoked(step, state, said)

    return OffsetsEncoding(
        step=step,
        asks=_asks,
        adds=adds,
        pulls=_pulls,
        passes=_passes,
        starts=_starts,
        ends=_ends,
        ends_late=_ends_late,
        cleans=_cleans,
        fails=_fails,
        others=_others,
        empty=_empty,
        records=_records,
        sends=_sends,
        commits=_commits,
        marks=_marks,
        revokes=revokes,
        unsubscribes=_unsubscribes,
        forgets=_forgets,
        shuts=_shuts,
        crashes=_crashes,
    )


def _turn(state: State, can: z3.BoolRef, me: Consumer, queue: Queue | None = None) -> Turn:
    return Turn(can, replace(state, me=me, queue=queue or state.queue))


def _asks(state: State, said: Said) -> Turn:
    me, committed = state.me, state.queue.committed
    none = z3.If(said.zero, 0, NOT_FOUND)
    stored = z3.If(committed == NONE, none, committed)
    answer = z3.If(said.silent, UNANSWERED, z3.If(said.error, BROKER_ERROR, stored))
    idle = z3.Not(z3.Or(me.present, me.asking, me.closed))
    return _turn(state, idle, replace(me, asking=YES, answer=answer, known=committed))


def _entry(me: Consumer, said: Said, present: z3.BoolRef) -> Entry:
    zero = z3.IntVal(0)
    return Entry(
        present=present,
        dropped=me.dropped,
        locked=NO,
        pull_age=z3.If(said.in_set, PULL_IDLE_LIMIT + 1, zero),
        lock_age=zero,
        consume_lock=z3.IntVal(FREE),
        cached=me.cached,
        tries=zero,
        memory=me.memory,
    )


def _added(step: Rebalance, state: State, said: Said) -> Turn:
    """``maxOffset``, and ``searchOffset`` for a time stamp, are asked for when the first answer has been heard."""
    me = state.me
    by_time = state.where == WHERES.index(ConsumeFromWhere.TIMESTAMP)
    queried = z3.If(by_time, said.offset, state.queue.end)
    done = step(_entry(me, said, NO), push(YES, me.answer, queried=queried, where=state.where), NOTHING_THROWN)
    entered = done.after.present
    after = replace(
        me,
        asking=NO,
        present=entered,
        dropped=NO,
        cached=NO,
        runs=NO,
        began=z3.If(entered, done.begin, me.began),
        next=z3.If(entered, done.begin, me.next),
        memory=done.after.memory,
    )
    in_range = z3.And(said.offset >= 0, said.offset <= state.queue.end)
    return _turn(state, z3.And(me.asking, z3.Implies(by_time, in_range)), after)


def _pulls(state: State, said: Said) -> Turn:
    me, message = state.me, state.message
    reached = z3.And(me.next <= message, message < said.offset, said.offset <= state.queue.end)
    return _turn(state, z3.And(me.present, reached), replace(me, cached=YES, next=said.offset))


def _passes(state: State, said: Said) -> Turn:
    me, message = state.me, state.message
    further = z3.And(me.next < said.offset, said.offset <= state.queue.end)
    not_this = z3.Or(said.offset <= message, me.next > message)
    return _turn(state, z3.And(me.present, further, not_this), replace(me, next=said.offset))


def _starts(state: State, said: Said) -> Turn:
    me = state.me
    can = z3.And(me.present, z3.Not(me.dropped), me.cached, z3.Not(me.runs))
    return _turn(state, can, replace(me, runs=YES))


def _consumed(queue: Queue) -> Queue:
    return replace(queue, consumed=YES, again=z3.Or(queue.again, queue.consumed))


def _left(me: Consumer, said: Said) -> z3.BoolRef:
    """``ProcessQueue.removeMessage`` can return that: the first offset that is left, or the one behind the last."""
    return z3.And(me.began <= said.offset, said.offset <= me.next)


def _noted(me: Consumer, offset: z3.ArithRef, said: Said) -> Consumer:
    """The offset is about to be recorded."""
    keeps = z3.And(me.recording, said.more)
    return replace(me, recording=YES, recorded=z3.If(keeps, me.recorded, offset))


def _ends(state: State, said: Said) -> Turn:
    me = state.me
    noted = _noted(replace(me, cached=NO), said.offset, said)
    notes = z3.Not(z3.Or(me.dropped, said.none))
    parts = {name: z3.If(notes, getattr(noted, name), before) for name, before in vars(me).items()}
    # Where the message was taken out before, another one is still there.
    left = z3.And(_left(me, said), said.offset != state.message, z3.Or(me.cached, said.offset < me.next))
    can = z3.And(me.runs, z3.Implies(said.none, z3.Not(me.cached)), z3.Implies(notes, left))
    return _turn(state, can, replace(Consumer(**parts), runs=NO), _consumed(state.queue))


def _cleans(state: State, said: Said) -> Turn:
    """``ProcessQueue.cleanExpiredMsg``, of an entry that is still in the table."""
    me = state.me
    can = z3.And(me.present, me.cached)
    return _turn(state, can, replace(me, cached=NO), replace(state.queue, given=YES))


def _others(state: State, said: Said) -> Turn:
    me = state.me
    left = z3.And(_left(me, said), z3.Implies(me.cached, said.offset <= state.message))
    return _turn(state, z3.And(me.present, z3.Not(me.dropped), left), _noted(me, said.offset, said))


def _ends_late(state: State, said: Said) -> Turn:
    return _turn(state, state.me.late, replace(state.me, late=said.more), _consumed(state.queue))


def _fails(state: State, said: Said) -> Turn:
    return _turn(state, state.me.runs, replace(state.me, runs=NO))


def _empty(state: State, said: Said) -> Turn:
    me = state.me
    return _turn(state, z3.And(me.present, z3.Not(me.cached)), _noted(me, me.next, said))


def _records(state: State, said: Said) -> Turn:
    me = state.me
    more = z3.If(me.memory < me.recorded, me.recorded, me.memory)
    return _turn(state, me.recording, replace(me, recording=said.more, memory=more))


def _under_way(me: Consumer, sends: z3.BoolRef, said: Said) -> Consumer:
    """The memory's offset is on its way to the broker, if it is sent."""
    looked_at = z3.And(sends, z3.Not(z3.And(me.sending, said.more)))
    return replace(
        me,
        sending=z3.Or(me.sending, sends),
        sent=z3.If(looked_at, me.memory, me.sent),
        origin=z3.If(looked_at, me.began, me.origin),
    )


def _sends(state: State, said: Said) -> Turn:
    me = state.me
    return _turn(state, z3.And(me.present, me.memory != NO_OFFSET), _under_way(me, YES, said))


def _commits(state: State, said: Said) -> Turn:
    """``ConsumerOffsetManager.commitOffset``: whatever comes."""
    me, queue = state.me, state.queue
    after = replace(queue, committed=me.sent, back=me.sent < queue.committed)
    return _turn(state, me.sending, replace(me, sending=said.more), after)


def _gone(me: Consumer, goes: z3.BoolRef) -> Consumer:
    """The entry leaves the table, if it goes; a call for it goes on."""
    stays = z3.Not(goes)
    return replace(
        me,
        present=z3.And(me.present, stays),
        dropped=z3.And(me.dropped, stays),
        cached=z3.And(me.cached, stays),
        runs=z3.And(me.runs, stays),
        late=z3.Or(me.late, z3.And(goes, me.runs)),
    )


def _marks(state: State, said: Said) -> Turn:
    me = state.me
    return _turn(state, z3.And(me.present, z3.Not(me.dropped)), replace(me, dropped=YES))


def _revoked(step: Rebalance, state: State, said: Said) -> Turn:
    """The first half of a rebalance: what an entry that comes behind begins with is asked for in the other one."""
    me = state.me
    unanswered = z3.IntVal(UNANSWERED)
    done = step(
        _entry(me, said, me.present),
        push(said.in_set, unanswered, queried=unanswered, where=state.where),
        NOTHING_THROWN,
    )
    sends = happens(done.slots, UPDATE_OFFSET, me.memory)
    goes = z3.Not(done.after.present)
    after = replace(_gone(_under_way(me, sends, said), goes), memory=done.after.memory)
    return _turn(state, me.present, after)


def _unsubscribes(state: State, said: Said) -> Turn:
    me = state.me
    return _turn(state, me.present, _gone(me, YES))


def _forgets(state: State, said: Said) -> Turn:
    me = state.me
    can = z3.And(z3.Not(me.present), z3.Not(me.closed), me.memory != NO_OFFSET)
    return _turn(state, can, replace(me, memory=z3.IntVal(NO_OFFSET)))


def _shuts(state: State, said: Said) -> Turn:
    me = state.me
    sends = z3.And(me.present, me.memory != NO_OFFSET)
    after = replace(_gone(_under_way(me, sends, said), YES), closed=YES)
    return _turn(state, z3.Not(z3.Or(me.asking, me.closed)), after)


def _crashes(state: State, said: Said) -> Turn:
    me = state.me
    gone = replace(_gone(me, YES), late=NO, recording=NO, asking=NO, closed=YES, memory=z3.IntVal(NO_OFFSET))
    return _turn(state, z3.Not(me.closed), gone)
