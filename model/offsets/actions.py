"""What can happen to one queue and one message in it, action by action, as terms: what is so with every listener."""

from dataclasses import replace
from typing import Any

import z3

from rebalance_proofs.model.client.effects import UPDATE_OFFSET
from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.client.process_queue import FREE, HELD
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.offsets.encoding import Rebalance
from rebalance_proofs.model.offsets.state import NONE, Consumer, Queue, Said, State, Turn
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, NO_OFFSET, UNANSWERED, WHERES
from rebalance_proofs.model.transition.push import push
from rebalance_proofs.model.transition.step import (
    NOTHING_THROWN,
    PULL_IDLE_LIMIT,
    UNLOCK_DELAY,
    Entry,
    Step,
    happens,
)


def turn(state: State, can: z3.BoolRef, me: Consumer, queue: Queue | None = None) -> Turn:
    return Turn(can, replace(state, me=me, queue=queue or state.queue))


def answered(state: State, said: Said) -> z3.ArithRef:
    """What is heard by who asks for the committed offset now."""
    committed = state.queue.committed
    none = z3.If(said.zero, 0, NOT_FOUND)
    stored = z3.If(committed == NONE, none, committed)
    return z3.If(said.silent, UNANSWERED, z3.If(said.error, BROKER_ERROR, stored))


def asks(state: State, said: Said) -> Turn:
    """See ``OffsetsEncoding``, as of all that is called like an action."""
    me = state.me
    idle = z3.Not(z3.Or(me.present, me.asking, me.closed))
    answer = answered(state, said)
    other = z3.And(me.aimed, answer != UNANSWERED, answer != me.aim)
    after = replace(me, asking=YES, answer=answer, known=state.queue.committed)
    return turn(state, idle, replace(after, aimed=NO, ignored=z3.Or(me.ignored, other)))


def entry(me: Consumer, said: Said, present: z3.BoolRef, orderly: bool) -> Entry:
    """Only of an ordered queue a rebalance looks at the locks."""
    zero = z3.IntVal(0)
    held = z3.And(present, z3.Or(me.runs, said.held)) if orderly else NO
    return Entry(
        present=present,
        dropped=me.dropped,
        locked=NO,
        pull_age=z3.If(said.in_set, PULL_IDLE_LIMIT + 1, zero),
        lock_age=z3.If(said.stale, UNLOCK_DELAY + 1, zero) if orderly else zero,
        consume_lock=z3.If(held, HELD, FREE),
        cached=me.cached,
        tries=zero,
        memory=me.memory,
    )


def found(step: Rebalance, state: State, said: Said, answer: z3.ArithRef, orderly: bool) -> tuple[z3.BoolRef, Step]:
    """What an entry begins with where that is the answer; and whether what else is asked for can be answered so.

    ``maxOffset``, and ``searchOffset`` for a time stamp, are asked for when the first answer has been heard.
    """
    by_time = state.where == WHERES.index(ConsumeFromWhere.TIMESTAMP)
    queried = z3.If(by_time, said.offset, state.queue.end)
    order = z3.BoolVal(orderly)
    asked = push(YES, answer, queried=queried, where=state.where, order=order, orderly=order)
    in_range = z3.And(said.offset >= 0, said.offset <= state.queue.end)
    return z3.Implies(by_time, in_range), step(entry(state.me, said, NO, orderly), asked, NOTHING_THROWN)


def added(step: Rebalance, state: State, said: Said, orderly: bool = False) -> Turn:
    """``adds``, with that rebalance."""
    me = state.me
    possible, done = found(step, state, said, me.answer, orderly)
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
    queue = replace(state.queue, owned=z3.Or(state.queue.owned, entered))
    return turn(state, z3.And(me.asking, possible), after, queue)


def arrives(state: State, said: Said) -> Turn:
    """Producers do not ask what consumers do."""
    me = state.me
    has = z3.And(me.present, z3.Not(me.dropped))
    queue = replace(
        state.queue,
        end=state.message + 1,
        awaited=z3.Or(state.queue.awaited, me.has_or_asks),
        had=z3.Or(state.queue.had, has),
        begun=z3.Or(state.queue.begun, z3.And(has, me.fixed)),
    )
    return turn(state, state.queue.end == state.message, me, queue)


def pulls(state: State, said: Said) -> Turn:
    me, message = state.me, state.message
    reached = z3.And(me.next <= message, message < said.offset, said.offset <= state.queue.end)
    return turn(state, z3.And(me.present, reached), replace(me, cached=YES, next=said.offset))


def passes(state: State, said: Said) -> Turn:
    me, message = state.me, state.message
    further = z3.And(me.next < said.offset, said.offset <= state.queue.end)
    not_this = z3.Or(said.offset <= message, me.next > message)
    return turn(state, z3.And(me.present, further, not_this), replace(me, next=said.offset))


def fails(state: State, said: Said) -> Turn:
    return turn(state, state.me.runs, replace(state.me, runs=NO))


def consumed(queue: Queue) -> Queue:
    return replace(queue, consumed=YES, again=z3.Or(queue.again, queue.consumed))


def ends_late(state: State, said: Said) -> Turn:
    return turn(state, state.me.late, replace(state.me, late=said.more), consumed(state.queue))


def noted(me: Consumer, offset: z3.ArithRef, said: Said) -> Consumer:
    """The offset is about to be recorded."""
    keeps = z3.And(me.recording, said.more)
    return replace(me, recording=YES, recorded=z3.If(keeps, me.recorded, offset))


def empty(state: State, said: Said) -> Turn:
    me = state.me
    return turn(state, z3.And(me.present, z3.Not(me.cached)), noted(me, me.next, said))


def records(state: State, said: Said) -> Turn:
    me = state.me
    more = z3.If(me.memory < me.recorded, me.recorded, me.memory)
    return turn(state, me.recording, replace(me, recording=said.more, memory=more))


def under_way(me: Consumer, sends: z3.BoolRef, said: Said) -> Consumer:
    """The memory's offset is on its way to the broker, if it is sent."""
    looked_at = z3.And(sends, z3.Not(z3.And(me.sending, said.more)))
    return replace(
        me,
        sending=z3.Or(me.sending, sends),
        sent=z3.If(looked_at, me.memory, me.sent),
        origin=z3.If(looked_at, me.began, me.origin),
    )


def copies(state: State, said: Said) -> Turn:
    me = state.me
    idle = z3.Not(z3.Or(me.listed, me.unlisted, me.closed))
    return turn(state, idle, replace(me, listed=me.present, unlisted=z3.Not(me.present)))


def finishes(state: State, said: Said) -> Turn:
    me = state.me
    return turn(state, z3.Or(me.listed, me.unlisted), replace(me, listed=NO, unlisted=NO))


def sends(state: State, said: Said) -> Turn:
    """With a pull, or by ``persistAll``: by one that was told of the queue even when its entry has gone."""
    me = state.me
    can = z3.And(z3.Or(me.present, me.listed), me.memory != NO_OFFSET)
    return turn(state, can, replace(under_way(me, YES, said), listed=z3.And(me.listed, me.present)))


def commits(state: State, said: Said) -> Turn:
    """``ConsumerOffsetManager.commitOffset``: whatever comes."""
    me, queue = state.me, state.queue
    after = replace(queue, committed=me.sent, back=me.sent < queue.committed)
    return turn(state, me.sending, replace(me, sending=said.more), after)


def gone(me: Consumer, goes: z3.BoolRef) -> Consumer:
    """The entry leaves the table, if it goes; a call for it goes on."""
    stays = z3.Not(goes)
    return replace(
        me,
        present=z3.And(me.present, stays),
        dropped=z3.And(me.dropped, stays),
        cached=z3.And(me.cached, stays),
        runs=z3.And(me.runs, stays),
        fixed=z3.And(me.fixed, stays),
        owed=z3.And(me.owed, stays),
        remains=z3.And(me.remains, stays),
        resetting=z3.And(me.resetting, stays),
        rewound=z3.And(me.rewound, stays),
        late=z3.Or(me.late, z3.And(goes, me.runs)),
    )


def marks(state: State, said: Said) -> Turn:
    me = state.me
    return turn(state, z3.And(me.present, z3.Not(me.dropped)), replace(me, dropped=YES))


def revoked(step: Rebalance, state: State, said: Said, orderly: bool = False) -> Turn:
    """The first half of a rebalance: what an entry that comes behind begins with is asked for in the other one."""
    me = state.me
    unanswered, order = z3.IntVal(UNANSWERED), z3.BoolVal(orderly)
    done = step(
        entry(me, said, me.present, orderly),
        push(said.in_set, unanswered, queried=unanswered, where=state.where, order=order, orderly=order),
        NOTHING_THROWN,
    )
    sends = happens(done.slots, UPDATE_OFFSET, me.memory)
    marked = z3.And(done.after.present, done.after.dropped)
    left = gone(under_way(me, sends, said), z3.Not(done.after.present))
    after = replace(left, dropped=marked, memory=done.after.memory)
    return turn(state, me.present, after)


def unsubscribes(state: State, said: Said) -> Turn:
    me = state.me
    return turn(state, me.present, gone(me, YES))


def forgets(state: State, said: Said) -> Turn:
    """``persistAll`` removes what it was not told of behind its loop, whatever has become of the queue meanwhile."""
    me = state.me
    can = z3.And(me.unlisted, me.memory != NO_OFFSET)
    return turn(state, can, replace(me, memory=z3.IntVal(NO_OFFSET), unlisted=NO))


def shuts(state: State, said: Said) -> Turn:
    me = state.me
    sends = z3.And(me.present, me.memory != NO_OFFSET)
    after = replace(gone(under_way(me, sends, said), YES), closed=YES)
    return turn(state, z3.Not(z3.Or(me.asking, me.closed)), after)


def crashes(state: State, said: Said) -> Turn:
    me = state.me
    nothing: dict[str, Any] = dict.fromkeys(
        ("late", "recording", "noting", "asking", "listed", "unlisted", "aimed"), NO
    )
    after = replace(gone(me, YES), closed=YES, memory=z3.IntVal(NO_OFFSET), **nothing)
    return turn(state, z3.Not(me.closed), after)
