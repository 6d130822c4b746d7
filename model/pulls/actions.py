"""What can happen to one queue's pull requests, action by action, as terms."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import z3

from rebalance_proofs.model.client.effects import DROP, PULL_REQUEST
from rebalance_proofs.model.client.process_queue import FREE
from rebalance_proofs.model.pulls.rules import PullRules
from rebalance_proofs.model.pulls.state import Consumer, Said, State, Turn
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.model.transition.numbers import NO_OFFSET, UNANSWERED
from rebalance_proofs.model.transition.push import push
from rebalance_proofs.model.transition.step import NOTHING_THROWN, PULL_IDLE_LIMIT, Asked, Entry, Step, Thrown, happens

__all__ = ["Act", "PullsEncoding", "Rebalance", "encoding"]

Rebalance = Callable[[Entry, Asked, Thrown], Step]
Act = Callable[[State, Said], Turn]


@dataclass(frozen=True)
class PullsEncoding:
    """What one consumer can do with a queue's pull requests.

    ``pullMessage`` looks at its entry once, before anything else; so what it does then is one action, but for the first
    pull of an ordered queue, which asks for its offset in between. Its thread is one: while it asks, it takes nothing.
    What is told of the exits by which a request can get lost is told of entries in the table: of others it does not
    matter.
    """

    step: Rebalance
    """The client's rebalance of one queue."""
    rules: PullRules
    adds: Act
    """A rebalance makes an entry with a pull request, if it is told where to begin."""
    revokes: Act
    """A rebalance looks at the entry: it goes where the queue is not the consumer's any more, or no pull has begun for
    too long; or it is marked, and stays. ``unsubscribe`` and a reset of offsets let it go in the same way."""
    takes: Act
    """``PullMessageService`` takes a request: it dies with its entry, is put off, or is sent to the broker."""
    asks: Act
    """It takes the first request of an entry of an ordered queue, whose offset is asked for (5 s at most)."""
    sends: Act
    """That is answered, and the pull is sent, whatever has become of its entry; or put off, as it was not answered."""
    answers: Act
    """A pull is answered, with messages or without, or fails: the request is to be taken again."""
    illegal: Act
    """It is answered that there is no such offset: the entry is marked, and a task is to repair that."""
    repairs: Act
    """The task writes the offset that the broker has named, and takes the queue's entry out, whichever it is."""
    waits: Act
    """Time passes."""
    suspends: Act
    """``suspend`` is called, by a user or where offsets are reset: no pull begins, and no rebalance does anything."""
    resumes: Act
    """``resume`` is called. The rebalance that it makes is one like any other."""
    throws: Act
    """The offset store throws in ``pullMessage``."""
    errs: Act
    """An ``Error`` is thrown in ``pullMessage``."""
    breaks: Act
    """An ``Error`` is thrown in the callback of an answer."""
    interrupts: Act
    """The thread is interrupted that puts the request of an answered pull into the queue."""
    hooks: Act
    """The RPC hook throws when a pull is sent, if it is called."""
    overtime: Act
    """When the connection is made, the pull's time is over."""


def encoding(step: Rebalance, rules: PullRules) -> PullsEncoding:
    """Of a client with that rebalance, and those rules."""

    def adds(state: State, said: Said) -> Turn:
        return _added(step, state, said)

    def revokes(state: State, said: Said) -> Turn:
        return _revoked(step, state, said)

    def taken(to: Callable[[Consumer], Consumer]) -> Act:
        def act(state: State, said: Said) -> Turn:
            me, none, one = state.me, z3.IntVal(0), z3.IntVal(1)
            asked = me.asking > 0
            takes = z3.And(z3.Not(me.dropped), me.waiting > 0, me.old_asking == 0, z3.Not(me.suspended))
            can = z3.And(me.present, z3.Or(asked, takes), z3.Not(me.ended))
            left = replace(
                me,
                age=z3.If(asked, me.age, none),
                waiting=me.waiting - z3.If(asked, none, one),
                asking=me.asking - z3.If(asked, one, none),
                fixed=z3.Or(me.fixed, asked),
            )
            return _turn(state, can, to(left))

        return act

    def answered(waiting: int) -> Act:
        def act(state: State, said: Said) -> Turn:
            me = state.me
            after = replace(me, pulling=me.pulling - 1, waiting=me.waiting + waiting)
            return _turn(state, z3.And(me.present, me.pulling > 0), after)

        return act

    return PullsEncoding(
        step=step,
        rules=rules,
        adds=adds,
        revokes=revokes,
        takes=_takes,
        asks=_asks,
        sends=_sends,
        answers=_answers,
        illegal=_illegal,
        repairs=_repairs,
        waits=_waits,
        suspends=_suspends,
        resumes=_resumes,
        throws=taken(lambda me: me),
        errs=taken(lambda me: replace(me, ended=z3.BoolVal(not rules.thread_survives))),
        breaks=answered(1 if rules.callback_survives else 0),
        interrupts=answered(0),
        hooks=taken(lambda me: replace(me, waiting=me.waiting + (1 if rules.hook_heard else 0))),
        overtime=taken(lambda me: replace(me, waiting=me.waiting + (2 if rules.fails_twice else 1))),
    )


def _turn(state: State, can: z3.BoolRef, me: Consumer) -> Turn:
    return Turn(can, replace(state, me=me))


def _entry(me: Consumer, limit: z3.ArithRef, present: z3.BoolRef) -> Entry:
    zero = z3.IntVal(0)
    return Entry(
        present=present,
        dropped=me.dropped,
        locked=NO,
        pull_age=z3.If(me.age > limit, PULL_IDLE_LIMIT + 1, zero),
        lock_age=zero,
        consume_lock=z3.IntVal(FREE),
        cached=NO,
        tries=zero,
        memory=z3.IntVal(NO_OFFSET),
    )


def _chosen(condition: z3.BoolRef, one: Consumer, other: Consumer) -> Consumer:
    parts: dict[str, Any] = {name: z3.If(condition, value, getattr(other, name)) for name, value in vars(one).items()}
    return Consumer(**parts)


def _added(step: Rebalance, state: State, said: Said) -> Turn:
    me = state.me
    stored = z3.If(said.silent, z3.IntVal(UNANSWERED), z3.IntVal(0))
    done = step(_entry(me, state.limit, NO), push(YES, stored), NOTHING_THROWN)
    asked = z3.If(happens(done.addition, PULL_REQUEST), z3.IntVal(1), z3.IntVal(0))
    zero = z3.IntVal(0)
    new = replace(me, present=YES, dropped=done.after.dropped, age=zero, kept=zero, waiting=asked, fixed=NO)
    return _turn(state, z3.Not(me.present), _chosen(z3.And(done.after.present, z3.Not(me.suspended)), new, me))


def _gone(me: Consumer, marked: z3.BoolRef) -> Consumer:
    """The entry has left the table; its requests and tasks are where they were."""
    zero = z3.IntVal(0)
    return replace(
        me,
        present=NO,
        dropped=NO,
        age=zero,
        kept=zero,
        waiting=zero,
        pulling=zero,
        asking=zero,
        repairing=zero,
        fixed=NO,
        old_waiting=me.old_waiting + me.waiting,
        old_pulling=me.old_pulling + me.pulling,
        old_asking=me.old_asking + me.asking,
        old_repairing=me.old_repairing + me.repairing,
        unmarked=z3.Or(me.unmarked, z3.Not(marked)),
    )


def _revoked(step: Rebalance, state: State, said: Said) -> Turn:
    """The first half of a rebalance. The client of a concurrent listener can always take an entry out.

    ``doRebalance`` of a consumer that is suspended returns before it looks at anything.
    """
    me = state.me
    done = step(_entry(me, state.limit, me.present), push(said.in_set, z3.IntVal(UNANSWERED)), NOTHING_THROWN)
    goes = z3.Not(done.after.present)
    marked = happens(done.removal, DROP)
    there = z3.And(z3.Not(me.dropped), z3.Not(me.ended), me.waiting + me.pulling + me.asking > 0)
    looked_at = replace(me, cut=z3.Or(me.cut, z3.And(goes, said.in_set, there)))
    stays = replace(looked_at, dropped=z3.Or(me.dropped, marked))
    left = _chosen(said.stays, stays, _gone(looked_at, z3.Or(me.dropped, marked)))
    after = _chosen(me.suspended, me, _chosen(goes, left, replace(me, kept=me.age)))
    others = z3.And(z3.Not(said.in_set), after.present, z3.Not(after.dropped))
    return _turn(state, me.present, replace(after, stale=z3.Or(me.stale, others)))


def _takes(state: State, said: Said) -> Turn:
    """``pullMessage``: an entry that is marked has its request die, and nothing else is looked at. That of a consumer
    that is suspended is put off, and counts as a pull (``setLastPullTimestamp``)."""
    me, none, one = state.me, z3.IntVal(0), z3.IntVal(1)
    later = z3.Or(said.later, me.suspended)
    sends = z3.And(z3.Not(me.dropped), z3.Not(later))
    leaves = z3.Or(me.dropped, sends)
    own = replace(
        me,
        age=z3.If(me.dropped, me.age, 0),
        waiting=me.waiting - z3.If(leaves, one, none),
        pulling=me.pulling + z3.If(sends, one, none),
    )
    begins = z3.And(me.unmarked, z3.Not(later))
    old = replace(
        me,
        old_waiting=me.old_waiting - z3.If(z3.Or(z3.Not(me.unmarked), begins), one, none),
        old_pulling=me.old_pulling + z3.If(begins, one, none),
        late=z3.Or(me.late, begins),
    )
    there = z3.If(said.old, me.old_waiting > 0, z3.And(me.present, me.waiting > 0))
    return _turn(state, z3.And(there, _idle(me)), _chosen(said.old, old, own))


def _idle(me: Consumer) -> z3.BoolRef:
    """The thread of ``PullMessageService`` runs, and takes the next request."""
    return z3.And(z3.Not(me.ended), me.asking == 0, me.old_asking == 0)


def _asks(state: State, said: Said) -> Turn:
    me = state.me
    first = z3.And(me.present, z3.Not(me.dropped), z3.Not(me.fixed), me.waiting > 0)
    can = z3.And(first, _idle(me), z3.Not(me.suspended))
    return _turn(state, can, replace(me, age=z3.IntVal(0), waiting=me.waiting - 1, asking=z3.IntVal(1)))


def _sends(state: State, said: Said) -> Turn:
    """The entry is not looked at again."""
    me, none, one = state.me, z3.IntVal(0), z3.IntVal(1)
    again, sent = z3.If(said.later, one, none), z3.If(said.later, none, one)
    own = replace(
        me,
        asking=none,
        fixed=z3.Or(me.fixed, z3.Not(said.later)),
        waiting=me.waiting + again,
        pulling=me.pulling + sent,
    )
    old = replace(
        me,
        old_asking=none,
        old_waiting=me.old_waiting + again,
        old_pulling=me.old_pulling + sent,
        late=z3.Or(me.late, z3.Not(said.later)),
    )
    there = z3.If(said.old, me.old_asking > 0, z3.And(me.present, me.asking > 0))
    return _turn(state, z3.And(there, z3.Not(me.ended)), _chosen(said.old, old, own))


def _under_way(me: Consumer, said: Said) -> z3.BoolRef:
    return z3.If(said.old, me.old_pulling > 0, z3.And(me.present, me.pulling > 0))


def _answers(state: State, said: Said) -> Turn:
    """The callback looks at no mark: the request dies when it is taken."""
    me = state.me
    own = replace(me, pulling=me.pulling - 1, waiting=me.waiting + 1)
    old = replace(me, old_pulling=me.old_pulling - 1, old_waiting=me.old_waiting + 1)
    return _turn(state, _under_way(me, said), _chosen(said.old, old, own))


def _illegal(state: State, said: Said) -> Turn:
    me = state.me
    own = replace(me, pulling=me.pulling - 1, dropped=YES, repairing=me.repairing + 1)
    old = replace(me, old_pulling=me.old_pulling - 1, old_repairing=me.old_repairing + 1, unmarked=NO)
    return _turn(state, _under_way(me, said), _chosen(said.old, old, own))


def _repairs(state: State, said: Said) -> Turn:
    """``updateOffset``, ``persist``, and ``removeProcessQueue`` of the queue."""
    me = state.me
    own = _gone(replace(me, repairing=me.repairing - 1), YES)
    none = replace(me, old_repairing=me.old_repairing - 1, wrote=YES)
    old = _chosen(me.present, _gone(replace(none, hit=YES), YES), none)
    there = z3.If(said.old, me.old_repairing > 0, z3.And(me.present, me.repairing > 0))
    return _turn(state, there, _chosen(said.old, old, own))


def _suspends(state: State, said: Said) -> Turn:
    return _turn(state, z3.Not(state.me.suspended), replace(state.me, suspended=YES))


def _resumes(state: State, said: Said) -> Turn:
    return _turn(state, state.me.suspended, replace(state.me, suspended=NO))


def _waits(state: State, said: Said) -> Turn:
    me = state.me
    return _turn(state, z3.And(me.present, said.span > 0), replace(me, age=me.age + said.span))
