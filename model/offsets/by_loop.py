"""The actions of Node's consumer, as terms: one loop consumes, batch by batch, whatever becomes of the queue's entry.

What is so of an entry in the table and of one that has left it is written once, and told of which of the two it is.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import z3

from rebalance_proofs.model.client.effects import UPDATE_OFFSET
from rebalance_proofs.model.client.environment import OK, THROW
from rebalance_proofs.model.offsets import actions
from rebalance_proofs.model.offsets.actions import consumed, turn
from rebalance_proofs.model.offsets.encoding import Act, ByLoop, Rebalance
from rebalance_proofs.model.offsets.state import Consumer, Said, State, Turn
from rebalance_proofs.model.offsets.watched import watched
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.model.transition.numbers import NO_OFFSET, PERSISTS, THROWN
from rebalance_proofs.model.transition.push import push
from rebalance_proofs.model.transition.step import NOTHING_THROWN, happens

__all__ = ["UNKNOWN", "encoding"]

UNKNOWN = -1
"""What ``persistAll`` remembers, and sends, of a queue whose offset in memory is 0, or missing."""


@dataclass(frozen=True)
class _Of:
    """Which fields of a consumer say what of one of its entries."""

    present: str
    next: str
    cached: str
    runs: str
    owed: str

    def __call__(self, me: Consumer) -> "_Entry":
        return _Entry(*(getattr(me, field) for field in vars(self).values()))

    def but(self, me: Consumer, **changed: Any) -> Consumer:
        """The same, with these of the entry's fields."""
        return replace(me, **{getattr(self, name): term for name, term in changed.items()})


@dataclass(frozen=True)
class _Entry:
    present: z3.BoolRef
    next: z3.ArithRef
    cached: z3.BoolRef
    runs: z3.BoolRef
    owed: z3.BoolRef


IN_TABLE = _Of("present", "next", "cached", "runs", "owed")
LEFT = _Of("lingers", "left_next", "left_cached", "late", "left_owed")
OTHER = {IN_TABLE: LEFT, LEFT: IN_TABLE}


def encoding(step: Rebalance) -> ByLoop:
    """Of a client with that rebalance."""
    parts: dict[str, Act] = {
        "asks": actions.asks,
        "adds": lambda state, said: _added(step, state, said),
        "sends": _sends,
        "commits": actions.commits,
        "revokes": lambda state, said: _revoked(step, state, said),
        "forgets": _forgets,
        "shuts": _shuts,
        "clears": _clears,
        "crashes": _crashes,
        **_of("", IN_TABLE),
        **_of("_late", LEFT),
    }
    return ByLoop(step=step, **{name: watched(name, act) for name, act in parts.items()})


def _of(which: str, of: _Of) -> dict[str, Act]:
    """What happens to an entry."""
    acts: dict[str, Callable[[_Of, State, Said], Turn]] = {
        "pulls": _pulls,
        "passes": _passes,
        "starts": _starts,
        "ends": _ends,
        "fails": _fails,
        "others": _others,
        "empty": _empty,
        "notes": _notes,
        "skips": _skips,
    }
    return {f"{name}{which}": partial(act, of) for name, act in acts.items()}


def _added(step: Rebalance, state: State, said: Said) -> Turn:
    """Whatever there is no offset for, ``readOffset`` says -1, and leaves in memory what was there."""
    failed = z3.If(state.me.answer < 0, THROWN, state.me.answer)
    done = actions.added(step, replace(state, me=replace(state.me, answer=failed)), said)
    return replace(done, after=replace(done.after, me=replace(done.after.me, answer=state.me.answer)))


def _pulls(of: _Of, state: State, said: Said) -> Turn:
    entry, message = of(state.me), state.message
    reached = z3.And(entry.next <= message, message < said.offset, said.offset <= state.queue.end)
    return turn(state, z3.And(entry.present, reached), of.but(state.me, cached=YES, next=said.offset))


def _passes(of: _Of, state: State, said: Said) -> Turn:
    entry, message = of(state.me), state.message
    further = z3.And(entry.next < said.offset, said.offset <= state.queue.end)
    not_this = z3.Or(said.offset <= message, entry.next > message)
    return turn(state, z3.And(entry.present, further, not_this), of.but(state.me, next=said.offset))


def _idle(of: _Of, me: Consumer) -> z3.BoolRef:
    """The loop has not got the message in a batch, for neither entry."""
    entries = (of(me), OTHER[of](me))
    return z3.Not(z3.Or([z3.Or(entry.runs, entry.owed) for entry in entries]))


def _starts(of: _Of, state: State, said: Said) -> Turn:
    """``consumeSingleMsg``: for the first time, or once more."""
    me = state.me
    entry, after = of(me), of.but(me, runs=YES)
    can = z3.And(entry.present, entry.cached, _idle(of, me), z3.Not(me.closed))
    return turn(state, can, replace(after, begun_late=YES) if of is LEFT else after)


def _ends(of: _Of, state: State, said: Said) -> Turn:
    return turn(state, _called(of, state), _returned(of, state.me, owed=YES), consumed(state.queue))


def _fails(of: _Of, state: State, said: Said) -> Turn:
    return turn(state, _called(of, state), _returned(of, state.me))


def _called(of: _Of, state: State) -> z3.BoolRef:
    entry = of(state.me)
    return z3.And(entry.present, entry.runs)


def _returned(of: _Of, me: Consumer, **changed: Any) -> Consumer:
    after = of.but(me, runs=NO, **changed)
    return replace(after, begun_late=NO) if of is LEFT else after


def _noted(me: Consumer, offset: z3.ArithRef) -> Consumer:
    """``updateOffset(messageQueue, offset, true)``, in the same turn."""
    return replace(me, memory=z3.If(me.memory < offset, offset, me.memory))


def _taken_out(of: _Of, state: State, said: Said, can: z3.BoolRef) -> Turn:
    """``remove``: the first offset that is left, or the one behind the last; messages are taken out in order."""
    left = z3.And(state.message < said.offset, said.offset <= of(state.me).next)
    return turn(state, z3.And(can, left), of.but(_noted(state.me, said.offset), cached=NO, owed=NO))


def _notes(of: _Of, state: State, said: Said) -> Turn:
    entry = of(state.me)
    return _taken_out(of, state, said, z3.And(entry.present, entry.owed))


def _skips(of: _Of, state: State, said: Said) -> Turn:
    """``consumeSingleMsg`` does nothing when the consumer is closed, and the loop takes that for a success."""
    entry = of(state.me)
    return _taken_out(of, state, said, z3.And(entry.present, entry.cached, _idle(of, state.me), state.me.closed))


def _others(of: _Of, state: State, said: Said) -> Turn:
    """A batch without the message."""
    me = state.me
    entry = of(me)
    left = z3.And(0 < said.offset, said.offset <= entry.next, z3.Implies(entry.cached, said.offset <= state.message))
    return turn(state, z3.And(entry.present, _idle(of, me), left), _noted(me, said.offset))


def _empty(of: _Of, state: State, said: Said) -> Turn:
    """``correctTagsOffset``."""
    entry = of(state.me)
    return turn(state, z3.And(entry.present, z3.Not(entry.cached)), _noted(state.me, entry.next))


def _persisted(me: Consumer, said: Said) -> Consumer:
    """``persistAll`` of a queue with an entry: ``offset || -1``."""
    known = z3.Or(me.memory == NO_OFFSET, me.memory == 0)
    remembered = replace(me, memory=z3.If(known, UNKNOWN, me.memory))
    return actions.under_way(remembered, YES, said)


def _sends(state: State, said: Said) -> Turn:
    """Every five seconds. A pull sends no more than that, and only what is above 0."""
    return turn(state, state.me.present, _persisted(state.me, said))


def _forgets(state: State, said: Said) -> Turn:
    """``persistAll`` makes its new table of the queues that have entries in one step: nobody gets in between."""
    me = state.me
    can = z3.And(z3.Not(me.present), z3.Not(me.closed), me.memory != NO_OFFSET)
    return turn(state, can, replace(me, memory=z3.IntVal(NO_OFFSET)))


def _leaves(me: Consumer, said: Said) -> Consumer:
    """The entry is out of the table. If the loop has a batch of it, or a pull is under way, it goes on with it."""
    goes = z3.Or(me.runs, me.owed, said.held)
    which = z3.And(goes, z3.Not(z3.And(me.lingers, said.more)))

    def left(now: Any, before: Any) -> Any:
        return z3.If(which, now, before)

    return replace(
        me,
        present=NO,
        cached=NO,
        runs=NO,
        owed=NO,
        lingers=z3.Or(me.lingers, goes),
        left_next=left(me.next, me.left_next),
        left_cached=left(me.cached, me.left_cached),
        late=left(me.runs, me.late),
        left_owed=left(me.owed, me.left_owed),
        begun_late=left(NO, me.begun_late),
    )


def _revoked(step: Rebalance, state: State, said: Said) -> Turn:
    """The entry goes before its offset is sent, which may fail; then the memory keeps it."""
    me = state.me
    persist = z3.If(said.silent, PERSISTS.index(THROW), PERSISTS.index(OK))
    asked = push(NO, z3.IntVal(THROWN), persist=persist, where=state.where)
    done = step(actions.entry(me, said, me.present, orderly=False), asked, NOTHING_THROWN)
    sent = actions.under_way(me, happens(done.slots, UPDATE_OFFSET, me.memory), said)
    return turn(state, me.present, replace(_leaves(sent, said), memory=done.after.memory))


def _shuts(state: State, said: Said) -> Turn:
    """``close``: the consumer is closed first, and its table is there until what it sends is on its way."""
    me = state.me
    sent = _persisted(me, said)
    parts = {name: z3.If(me.present, getattr(sent, name), before) for name, before in vars(me).items()}
    return turn(state, z3.Not(me.closed), replace(Consumer(**parts), closed=YES))


def _clears(state: State, said: Said) -> Turn:
    return turn(state, z3.And(state.me.closed, state.me.present), _leaves(state.me, said))


def _crashes(state: State, said: Said) -> Turn:
    gone: dict[str, Any] = dict.fromkeys(
        ("present", "cached", "runs", "owed", "late", "lingers", "left_cached", "left_owed", "begun_late", "asking"), NO
    )
    return turn(state, z3.Not(state.me.closed), replace(state.me, closed=YES, memory=z3.IntVal(NO_OFFSET), **gone))
