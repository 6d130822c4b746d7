"""The Node client's rebalance of one queue as SMT terms."""

from dataclasses import replace

from rebalance_proofs.model.client.effects import (
    DROP,
    IN,
    MAX_OFFSET,
    OUT,
    PERSIST,
    PULL_REQUEST,
    QUERY_OFFSET,
    READ_OFFSET,
    REMOVE_OFFSET,
    SEARCH_OFFSET,
    UPDATE_OFFSET,
)
from rebalance_proofs.model.client.environment import EXC, NOT_FOUND, OK
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.numbers import FAILED, NO_OFFSET, PERSISTS, THROWN, WHERES
from rebalance_proofs.model.transition.step import (
    PULL_IDLE_LIMIT,
    Addition,
    Asked,
    Batch,
    Entry,
    Removal,
    Slot,
    Step,
    Thrown,
    TransitionEncoding,
    joined,
    new_entry,
)


def step(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    """Return the result of a rebalance for one queue.

    The process queue is removed before its offset is sent. A failed query counts as "no offset is stored".
    """
    removal = _remove(entry, asked, thrown)
    return joined(removal, _add(entry, removal, asked, thrown))


def _remove(entry: Entry, asked: Asked, thrown: Thrown) -> Removal:
    overdue = entry.pull_age > PULL_IDLE_LIMIT
    turn = smt.And(entry.present, asked.mine, smt.Or(smt.Not(asked.in_set), overdue), smt.Not(thrown.removing))
    sends = smt.And(turn, smt.Not(asked.broadcasting), entry.memory != NO_OFFSET)
    fails = smt.And(sends, asked.persist != PERSISTS.index(OK))
    saved = smt.And(turn, smt.Not(fails))
    slots = [
        Slot(turn, DROP),
        Slot(turn, OUT),
        Slot(turn, PERSIST),
        Slot(fails, UPDATE_OFFSET, (entry.memory, EXC)),
        Slot(smt.And(sends, smt.Not(fails)), UPDATE_OFFSET, (entry.memory,)),
        Slot(saved, REMOVE_OFFSET),
    ]
    former = replace(entry, dropped=smt.Or(entry.dropped, turn), memory=smt.If(saved, NO_OFFSET, entry.memory))
    return Removal(slots, former, turn, fails)


def _add(entry: Entry, removal: Removal, asked: Asked, thrown: Thrown) -> Addition:
    former = removal.former
    absent = smt.Or(smt.Not(entry.present), removal.out)
    turn = smt.And(asked.in_set, absent, smt.Not(removal.throws), smt.Not(thrown.adding))
    asks = smt.And(turn, smt.Not(asked.broadcasting))
    answered = smt.And(asks, asked.stored != THROWN)
    remembered = smt.If(former.memory == NO_OFFSET, NOT_FOUND, former.memory)
    offset = smt.If(asked.broadcasting, remembered, smt.If(asked.stored == THROWN, NOT_FOUND, asked.stored))

    from_first = asked.where == WHERES.index(ConsumeFromWhere.FIRST_OFFSET)
    by_time = asked.where == WHERES.index(ConsumeFromWhere.TIMESTAMP)
    retry = smt.And(asked.retry, asked.mine)
    none = smt.And(turn, offset == NOT_FOUND, smt.Not(from_first))
    searches = smt.And(none, by_time, smt.Not(retry))
    asks_max = smt.And(none, by_time == retry)
    begins_at = smt.If(
        offset >= 0,
        offset,
        smt.If(from_first, 0, smt.If(smt.Or(searches, asks_max), asked.queried, smt.If(none, 0, FAILED))),
    )
    entered = smt.And(turn, begins_at >= 0)
    slots = [
        Slot(asks, QUERY_OFFSET, (asked.stored,)),
        Slot(turn, READ_OFFSET, (offset,)),
        Slot(asks_max, MAX_OFFSET, (asked.queried,)),
        Slot(searches, SEARCH_OFFSET, (asked.queried,)),
        Slot(entered, IN),
        Slot(entered, PULL_REQUEST, (begins_at,)),
    ]
    memory = smt.If(answered, asked.stored, former.memory)
    return Addition(slots, new_entry(memory, locked=False), entered)


def possible(thrown: Thrown, own_store: smt.BoolTerm) -> smt.BoolTerm:
    """Return the condition that only the removal of a queue can throw an exception."""
    return smt.And(smt.Implies(thrown.removing, thrown.adding), thrown.adding == thrown.ever)


def unsubscribe(entry: Entry) -> Step:
    """Return a result without a change: after an unsubscription, consumption continues for ever."""
    return Step(removal=(), addition=(), after=entry, former=entry)


def renew(entry: Entry, asked: Asked, batch: Batch) -> Step:
    """Return a result without a change: Node has no locks."""
    return unsubscribe(entry)


ENCODING = TransitionEncoding(step, possible, unsubscribe, renew)
