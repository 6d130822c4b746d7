"""The transition of the Node client, as terms."""

from dataclasses import replace

import z3

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

__all__ = ["ENCODING"]


def step(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    """One queue's step: the entry is out before its offset is sent; a failed query counts as no offset."""
    removal = _remove(entry, asked, thrown)
    return joined(removal, _add(entry, removal, asked, thrown))


def _remove(entry: Entry, asked: Asked, thrown: Thrown) -> Removal:
    overdue = entry.pull_age > PULL_IDLE_LIMIT
    turn = z3.And(entry.present, asked.mine, z3.Or(z3.Not(asked.in_set), overdue), z3.Not(thrown.removing))
    sends = z3.And(turn, z3.Not(asked.broadcasting), entry.memory != NO_OFFSET)
    fails = z3.And(sends, asked.persist != PERSISTS.index(OK))
    saved = z3.And(turn, z3.Not(fails))
    slots = [
        Slot(turn, DROP),
        Slot(turn, OUT),
        Slot(turn, PERSIST),
        Slot(fails, UPDATE_OFFSET, (entry.memory, EXC)),
        Slot(z3.And(sends, z3.Not(fails)), UPDATE_OFFSET, (entry.memory,)),
        Slot(saved, REMOVE_OFFSET),
    ]
    former = replace(entry, dropped=z3.Or(entry.dropped, turn), memory=z3.If(saved, NO_OFFSET, entry.memory))
    return Removal(slots, former, turn, fails)


def _add(entry: Entry, removal: Removal, asked: Asked, thrown: Thrown) -> Addition:
    former = removal.former
    absent = z3.Or(z3.Not(entry.present), removal.out)
    turn = z3.And(asked.in_set, absent, z3.Not(removal.throws), z3.Not(thrown.adding))
    asks = z3.And(turn, z3.Not(asked.broadcasting))
    answered = z3.And(asks, asked.stored != THROWN)
    remembered = z3.If(former.memory == NO_OFFSET, NOT_FOUND, former.memory)
    offset = z3.If(asked.broadcasting, remembered, z3.If(asked.stored == THROWN, NOT_FOUND, asked.stored))

    from_first = asked.where == WHERES.index(ConsumeFromWhere.FIRST_OFFSET)
    by_time = asked.where == WHERES.index(ConsumeFromWhere.TIMESTAMP)
    retry = z3.And(asked.retry, asked.mine)
    none = z3.And(turn, offset == NOT_FOUND, z3.Not(from_first))
    searches = z3.And(none, by_time, z3.Not(retry))
    asks_max = z3.And(none, by_time == retry)
    begins_at = z3.If(
        offset >= 0,
        offset,
        z3.If(from_first, 0, z3.If(z3.Or(searches, asks_max), asked.queried, z3.If(none, 0, FAILED))),
    )
    entered = z3.And(turn, begins_at >= 0)
    slots = [
        Slot(asks, QUERY_OFFSET, (asked.stored,)),
        Slot(turn, READ_OFFSET, (offset,)),
        Slot(asks_max, MAX_OFFSET, (asked.queried,)),
        Slot(searches, SEARCH_OFFSET, (asked.queried,)),
        Slot(entered, IN),
        Slot(entered, PULL_REQUEST, (begins_at,)),
    ]
    memory = z3.If(answered, asked.stored, former.memory)
    return Addition(slots, new_entry(memory, locked=False), entered)


def possible(thrown: Thrown, own_store: z3.BoolRef) -> z3.BoolRef:
    """Only a removal throws, whatever the store."""
    return z3.And(z3.Implies(thrown.removing, thrown.adding), thrown.adding == thrown.ever)


def unsubscribe(entry: Entry) -> Step:
    """No change: the queue stays, and is consumed for ever."""
    return Step(removal=(), addition=(), after=entry, former=entry)


def renew(entry: Entry, asked: Asked, batch: Batch) -> Step:
    """No change: there are no locks."""
    return unsubscribe(entry)


ENCODING = TransitionEncoding(step, possible, unsubscribe, renew)
