"""Rebalance of one queue of a push consumer, as far as it concerns offsets.

The rebalance itself is the SMT encoding in ``model.transition``.
"""

from rebalance_proofs.model.client.effects import UPDATE_OFFSET
from rebalance_proofs.model.client.environment import NOT_FOUND, OK, THROW
from rebalance_proofs.model.client.process_queue import FREE, HELD
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.machine.machine import Effect
from rebalance_proofs.model.machine.record import Record
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Value, term
from rebalance_proofs.model.machines.offsets.state import NONE, Choices, Limits, Offsets, OffsetsClient, Way
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import NO, YES
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.transition.numbers import BROKER_ERROR, PERSISTS, THROWN, UNANSWERED, WHERES
from rebalance_proofs.model.transition.step import (
    NOTHING_THROWN,
    PULL_IDLE_LIMIT,
    UNLOCK_DELAY,
    Entry,
    Step,
    happens,
    push,
)

Effects = Effect[Offsets, Choices, Limits, OffsetsClient]


def by_terms(effect: Effects) -> Effects:
    """Return an action of SMT terms that also runs on Python numbers.

    This is necessary because a rebalance is encoded in SMT terms.
    """

    def does(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> tuple[Bool, dict[str, Value]]:
        guard, changes = effect(s.terms(), c.terms(), lim.terms(), client)
        if any(map(_unknown, (s, c, lim))):
            return guard, dict(changes)
        return bool(_known(term(guard))), {name: _known(value) for name, value in changes.items()}

    does.__name__ = effect.__name__
    return does


def _unknown(record: Record) -> bool:
    return any(map(smt.is_expr, vars(record).values()))


def _known(value: Value) -> bool | int:
    found = simplify(value) if smt.is_expr(value) else value
    if isinstance(found, smt.Numeral):
        return found.number
    return smt.is_true(found) if smt.is_expr(found) else found


def _arith(value: Int) -> smt.IntTerm:
    return smt.IntVal(value) if isinstance(value, int) else value


def _entry(s: Offsets, c: Choices, present: Bool, orderly: bool) -> Entry:
    """Return the process queue as input of the rebalance's encoding.

    ``present``: whether the table has the process queue. Locks are used only if the queue is ``orderly``.
    """
    zero = smt.IntVal(0)
    held = smt.And(present, smt.Or(s.runs, c.held)) if orderly else NO
    return Entry(
        present=term(present),
        dropped=term(s.dropped),
        locked=NO,
        pull_age=smt.If(c.in_set, PULL_IDLE_LIMIT + 1, zero),
        lock_age=smt.If(c.stale, UNLOCK_DELAY + 1, zero) if orderly else zero,
        consume_lock=smt.If(held, HELD, FREE),
        cached=term(s.cached),
        tries=zero,
        memory=_arith(s.memory),
    )


def added(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient, answer: Int) -> tuple[Bool, Step]:
    """Return whether a rebalance can add a process queue after its offset query, and its step.

    ``answer``: the answer to the query. The client may then query ``maxOffset``, or ``searchOffset`` for a time
    stamp. The first part of the result is whether this further query can have the answer ``c.offset``.
    """
    by_time, orderly = lim.from_where == WHERES.index(ConsumeFromWhere.TIMESTAMP), client.way is Way.ORDERLY
    order = smt.BoolVal(orderly)
    asked = push(
        YES, _arith(answer), queried=If(by_time, c.offset, s.end), where=lim.from_where, order=order, orderly=order
    )
    in_range = And(c.offset >= 0, c.offset <= s.end)
    return Implies(by_time, in_range), client.step(_entry(s, c, NO, orderly), asked, NOTHING_THROWN)


def removed(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient) -> Step:
    """Return the first half of a rebalance, which removes process queues.

    The second half queries the start offset of an added process queue.
    """
    unanswered, orderly = smt.IntVal(UNANSWERED), client.way is Way.ORDERLY
    order = smt.BoolVal(orderly)
    asked = push(term(c.in_set), unanswered, queried=unanswered, where=lim.from_where, order=order, orderly=order)
    if client.way is Way.BY_LOOP:
        persist = smt.If(c.silent, PERSISTS.index(THROW), PERSISTS.index(OK))
        asked = push(NO, smt.IntVal(THROWN), persist=persist, where=lim.from_where)
    return client.step(_entry(s, c, s.present, orderly), asked, NOTHING_THROWN)


def sent(step: Step, s: Offsets) -> Bool:
    """Check whether the rebalance sends the offset in memory."""
    return happens(step.slots, UPDATE_OFFSET, s.memory)


def answered(s: Offsets, c: Choices, stored: Int) -> Int:
    """Return the answer to a query for the committed offset.

    ``stored``: the broker's offset.
    """
    none = If(c.zero, 0, NOT_FOUND)
    return If(c.silent, UNANSWERED, If(c.error, BROKER_ERROR, If(stored == NONE, none, stored)))


def found(s: Offsets, c: Choices, lim: Limits, client: OffsetsClient, answer: Int) -> tuple[Bool, Bool, Int, Int]:
    """Return whether and where a new process queue starts to pull, given its query's answer.

    The parts are: whether a further query can have the answer ``c.offset``; whether the process queue is added; its
    start offset; and the queue's offset in memory afterwards.
    """
    possible, done = added(s, c, lim, client, answer)
    return possible, done.after.present, done.begin, done.after.memory
