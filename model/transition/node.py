"""The transition of the Node client, as terms."""

from dataclasses import replace

import z3

from model.client.effects import (
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
from model.client.environment import EXC, NOT_FOUND, OK
from model.client.pull_from_where import ConsumeFromWhere
from model.transition.numbers import FAILED, NO_OFFSET, PERSISTS, THROWN, WHERES
from model.transition.step import NO, Asked, Entry, Slot, Step, Thrown, TransitionEncoding, choose, new_entry

__all__ = ["ENCODING"]

PULL_IDLE_LIMIT = 120_000


def step(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    """One queue: the entry is out before its offset is sent, and every failure to learn an offset counts as none."""
    removal, former, out, throws = _remove(entry, asked, thrown)
    addition, entered, memory = _add(entry, former, out, throws, asked, thrown)
    gone = replace(former, present=z3.And(former.present, z3.Not(out)), memory=memory)
    return Step(
        removal=tuple(removal),
        addition=tuple(addition),
        after=choose(entered, new_entry(memory, locked=False), gone),
        former=former,
        out=out,
        entered=entered,
        changed=z3.Or(out, entered),
        denied=NO,
        removing_throws=throws,
        adding_throws=NO,
    )


def _remove(entry: Entry, asked: Asked, thrown: Thrown) -> tuple[list[Slot], Entry, z3.BoolRef, z3.BoolRef]:
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
    return slots, former, turn, fails


def _add(
    entry: Entry, former: Entry, out: z3.BoolRef, throws: z3.BoolRef, asked: Asked, thrown: Thrown
) -> tuple[list[Slot], z3.BoolRef, z3.ArithRef]:
    absent = z3.Or(z3.Not(entry.present), out)
    turn = z3.And(asked.in_set, absent, z3.Not(throws), z3.Not(thrown.adding))
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
    return slots, entered, z3.If(answered, asked.stored, former.memory)


def possible(thrown: Thrown) -> z3.BoolRef:
    """Only a removal throws."""
    return z3.And(z3.Implies(thrown.removing, thrown.adding), thrown.adding == thrown.ever)


def unsubscribe(entry: Entry) -> Step:
    """Nothing: the queue stays, and is consumed for ever."""
    return Step(
        removal=(),
        addition=(),
        after=entry,
        former=entry,
        out=NO,
        entered=NO,
        changed=NO,
        denied=NO,
        removing_throws=NO,
        adding_throws=NO,
    )


ENCODING = TransitionEncoding(step, possible, unsubscribe)
