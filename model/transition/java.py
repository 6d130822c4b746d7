"""The transition of the Java client, as terms: one program, with ``Rules`` for what differs between generations."""

from dataclasses import dataclass, replace

import z3

from rebalance_proofs.model.client.effects import (
    DROP,
    IN,
    LOCK,
    MAX_OFFSET,
    OUT,
    PERSIST,
    PROCESS_QUEUE_LOCKED,
    PULL_REQUEST,
    QUERY_OFFSET,
    READ_OFFSET,
    RELEASE_CONSUME_LOCK,
    REMOVE_OFFSET,
    SCHEDULE_UNLOCK,
    SEARCH_OFFSET,
    TRY_CONSUME_LOCK,
    TRY_UNLOCK_TIMES,
    UNLOCK,
    UPDATE_OFFSET,
    WRITE_OFFSET,
)
from rebalance_proofs.model.client.environment import (
    DENIED,
    EXC,
    MEMORY_FIRST,
    NO_BROKER,
    NOT_FOUND,
    OK,
    STORE,
    UNLOCK_EXC,
)
from rebalance_proofs.model.client.process_queue import FREE, HELD, INTERRUPTED
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import LITE_PULL, PULL, PUSH
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.model.transition.numbers import (
    BROKER_ERROR,
    FAILED,
    KINDS,
    LOCKS,
    NO_OFFSET,
    PERSISTS,
    THROWN,
    UNANSWERED,
    WHERES,
)
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

__all__ = ["Rules", "encoding"]


@dataclass(frozen=True)
class Rules:
    """The differences between the generations."""

    marks_first: bool
    """All entries that have to go are marked before the first of them is removed."""
    expects_all: bool
    """Nothing that the offset store throws leaves the method while queues are added."""
    keeps_offset: bool
    """An ordered queue's offset is forgotten only when its entry goes, and its lock is given back at once."""
    try_lock: int
    """ms to wait for the lock under which an ordered queue's listener runs."""
    pull_delay: int
    """ms before a new queue's first pull."""
    broker_error_is_none: bool
    """The client's own offset store takes every error answer of a broker for "no offset is stored"."""
    file_persists: bool
    """The client's own store of a broadcasting consumer writes and forgets the offset of a single queue."""
    new_locked: bool = True
    """A new entry knows that the broker's lock is the client's."""
    forces: bool = True
    """Where the offset is kept: a lock that was not renewed for long is given back under a running listener."""
    gives_back: bool = True
    """An ordered queue's lock is given back when its entry goes."""


def encoding(rules: Rules) -> TransitionEncoding:
    """The transition under these rules."""

    def step(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
        removal = _remove(rules, entry, asked, thrown)
        return joined(removal, _add(rules, entry, removal, asked, thrown))

    def possible(thrown: Thrown, own_store: z3.BoolRef) -> z3.BoolRef:
        chain = [z3.Implies(thrown.removing, thrown.adding), z3.Implies(thrown.adding, thrown.ever)]
        quiet = z3.Implies(z3.Not(own_store), z3.Not(thrown.ever))
        return z3.And(*chain, quiet, *([z3.Implies(thrown.ever, thrown.adding)] if rules.expects_all else []))

    def renew(entry: Entry, asked: Asked, batch: Batch) -> Step:
        return _renew(rules, entry, asked, batch)

    return TransitionEncoding(step, possible, unsubscribe, renew)


def _renew(rules: Rules, entry: Entry, asked: Asked, batch: Batch) -> Step:
    """``lockAll``: a queue is asked for together with others of its broker, and the broker's answer is believed."""
    speaks = z3.And(entry.present, z3.Not(entry.dropped)) if rules.marks_first else entry.present
    # 4.9 knows no static topics: their brokers' names are names without an address.
    reached = z3.Or(z3.Not(asked.static), batch.found) if rules.marks_first else z3.Not(asked.static)
    sent = z3.And(speaks, reached, asked.lock != LOCKS.index(NO_BROKER))
    granted = z3.Or(asked.lock == LOCKS.index(OK), asked.lock == LOCKS.index(UNLOCK_EXC))
    noted = z3.And(sent, z3.Not(batch.fails))
    after = replace(
        entry,
        locked=z3.If(noted, granted, entry.locked),
        lock_age=z3.If(z3.And(noted, granted), 0, entry.lock_age),
    )
    addition = (
        Slot(z3.And(noted, granted), PROCESS_QUEUE_LOCKED, (1,)),
        Slot(z3.And(noted, z3.Not(granted)), PROCESS_QUEUE_LOCKED, (0,)),
    )
    return Step(removal=(), addition=addition, after=after, former=after)


def unsubscribe(entry: Entry) -> Step:
    """``truncateMessageQueueNotMyTopic``: the entry is removed and marked, nothing else."""
    former = replace(entry, dropped=z3.Or(entry.dropped, entry.present))
    return Step(
        removal=(Slot(entry.present, OUT), Slot(entry.present, DROP)),
        addition=(),
        after=replace(former, present=NO),
        former=former,
        out=entry.present,
        changed=entry.present,
    )


def _remove(rules: Rules, entry: Entry, asked: Asked, thrown: Thrown) -> Removal:
    pushes = asked.kind == KINDS.index(PUSH)
    overdue = z3.And(pushes, entry.pull_age > PULL_IDLE_LIMIT)
    unwanted = z3.And(entry.present, asked.mine, z3.Or(z3.Not(asked.in_set), overdue))
    turn = z3.And(unwanted, z3.Not(thrown.removing))
    marked = unwanted if rules.marks_first else turn
    ordered = z3.And(pushes, asked.orderly, z3.Not(asked.broadcasting)) if rules.gives_back else NO

    throws = z3.And(asked.own_store, asked.persist == PERSISTS.index("throw"))
    persisted = z3.And(turn, z3.Not(throws))
    slots = [
        Slot(marked, DROP),
        Slot(z3.And(turn, throws), PERSIST, ("throw",)),
        Slot(_heard(rules, persisted, asked), PERSIST),
        *_stored(rules, persisted, asked.persist == PERSISTS.index("throw"), entry.memory, asked),
    ]
    under_lock = z3.And(persisted, ordered)
    forced = z3.And(under_lock, entry.lock_age > asked.unlock_delay) if rules.keeps_offset and rules.forces else NO
    tries = z3.And(under_lock, z3.Not(forced))
    free, held, interrupted = (z3.And(tries, entry.consume_lock == state) for state in (FREE, HELD, INTERRUPTED))
    attempts = [
        Slot(free, TRY_CONSUME_LOCK, (rules.try_lock, 1)),
        Slot(held, TRY_CONSUME_LOCK, (rules.try_lock, 0)),
        Slot(interrupted, TRY_CONSUME_LOCK, (rules.try_lock, "INT")),
    ]
    if not rules.keeps_offset:
        at_once = z3.And(free, z3.Not(entry.cached))
        slots += [
            Slot(_heard(rules, persisted, asked), REMOVE_OFFSET),
            *attempts,
            Slot(held, TRY_UNLOCK_TIMES),
            *_unlock(at_once, asked),
        ]
        slots += [
            Slot(z3.And(free, entry.cached), SCHEDULE_UNLOCK, (asked.unlock_delay,)),
            Slot(free, RELEASE_CONSUME_LOCK),
        ]
        out = z3.And(persisted, z3.Or(z3.Not(ordered), free))
        counted, unlocks, forgotten = held, NO, persisted
    else:
        leaves = z3.Or(forced, free)
        throws_again = z3.And(asked.own_store, asked.persist == PERSISTS.index("throw2"))
        failed = z3.And(leaves, throws_again)
        unlocks = z3.And(leaves, z3.Not(throws_again))
        out = z3.Or(z3.And(persisted, z3.Not(ordered)), unlocks)
        counted, forgotten = z3.Or(held, interrupted, failed), out
        slots += [
            *attempts,
            Slot(failed, PERSIST, ("throw",)),
            Slot(unlocks, PERSIST),
            *_stored(rules, unlocks, asked.persist != PERSISTS.index(OK), entry.memory, asked),
            Slot(_heard(rules, out, asked), REMOVE_OFFSET),
            Slot(unlocks, PROCESS_QUEUE_LOCKED, (0,)),
            *_unlock(unlocks, asked),
            Slot(free, RELEASE_CONSUME_LOCK),
            Slot(counted, TRY_UNLOCK_TIMES),
        ]
    former = replace(
        entry,
        dropped=z3.Or(entry.dropped, marked),
        locked=z3.And(entry.locked, z3.Not(unlocks)),
        tries=entry.tries + z3.If(counted, 1, 0),
        memory=_forgotten(rules, forgotten, entry.memory, asked),
    )
    return Removal([*slots, Slot(out, OUT)], former, out, z3.And(turn, throws))


def _unlock(gives: z3.BoolRef, asked: Asked) -> list[Slot]:
    """The places of the unlock call; there is no call when the broker's address is unknown."""
    fails = asked.lock == LOCKS.index(UNLOCK_EXC)
    told = z3.And(gives, asked.lock != LOCKS.index(NO_BROKER))
    return [Slot(z3.And(told, fails), UNLOCK, (EXC,)), Slot(z3.And(told, z3.Not(fails)), UNLOCK)]


def _stored(
    rules: Rules, persisted: z3.BoolRef, fails: z3.BoolRef, memory: z3.ArithRef, asked: Asked
) -> tuple[Slot, ...]:
    """The places at which the client's own offset store persists; a failure is only logged."""
    does = z3.And(persisted, z3.Not(asked.own_store), memory != NO_OFFSET)
    sends = z3.And(does, z3.Not(asked.broadcasting))
    sending = (
        Slot(z3.And(sends, fails), UPDATE_OFFSET, (memory, EXC)),
        Slot(z3.And(sends, z3.Not(fails)), UPDATE_OFFSET, (memory,)),
    )
    if not rules.file_persists:
        return sending
    writes = z3.And(does, asked.broadcasting)
    return (
        *sending,
        Slot(z3.And(writes, fails), WRITE_OFFSET, (memory, EXC)),
        Slot(z3.And(writes, z3.Not(fails)), WRITE_OFFSET, (memory,)),
    )


def _heard(rules: Rules, told: z3.BoolRef, asked: Asked) -> z3.BoolRef:
    """Whether the store does anything when it is told to persist or to forget an offset."""
    return told if rules.file_persists else z3.And(told, z3.Or(asked.own_store, z3.Not(asked.broadcasting)))


def _forgotten(rules: Rules, removed: z3.BoolRef, memory: z3.ArithRef, asked: Asked) -> z3.ArithRef:
    """The offset in the memory of the client's own store after ``removeOffset``."""
    return z3.If(z3.And(_heard(rules, removed, asked), z3.Not(asked.own_store)), NO_OFFSET, memory)


def _add(rules: Rules, entry: Entry, removal: Removal, asked: Asked, thrown: Thrown) -> Addition:
    absent = z3.Or(z3.Not(entry.present), removal.out)
    turn = z3.And(asked.in_set, absent, z3.Not(thrown.adding))
    asks = z3.And(turn, asked.order)
    granted = z3.Or(asked.lock == LOCKS.index(OK), asked.lock == LOCKS.index(UNLOCK_EXC))
    begins = z3.And(turn, z3.Or(z3.Not(asked.order), granted))
    slots = [
        Slot(z3.And(asks, granted), LOCK, (OK,)),
        Slot(z3.And(asks, asked.lock == LOCKS.index(DENIED)), LOCK, (DENIED,)),
        Slot(z3.And(asks, asked.lock == LOCKS.index(EXC)), LOCK, (EXC,)),
        Slot(_heard(rules, begins, asked), REMOVE_OFFSET),
    ]

    pushes, pulls = asked.kind == KINDS.index(PUSH), asked.kind == KINDS.index(PULL)
    lite = asked.kind == KINDS.index(LITE_PULL)
    from_first = asked.where == WHERES.index(ConsumeFromWhere.FIRST_OFFSET)
    by_time = asked.where == WHERES.index(ConsumeFromWhere.TIMESTAMP)
    deprecated = asked.where == WHERES.index(ConsumeFromWhere.MIN_OFFSET)
    retry = z3.And(asked.retry, asked.mine)

    reads = z3.And(begins, z3.Not(pulls), z3.Not(z3.And(lite, deprecated)))
    forgotten = _forgotten(rules, begins, removal.former.memory, asked)
    shipped, remembered = z3.Not(asked.own_store), z3.And(lite, forgotten != NO_OFFSET)
    fetches = z3.And(reads, shipped, z3.Not(asked.broadcasting))
    takes = z3.And(reads, shipped, z3.Or(z3.Not(asked.broadcasting), z3.Not(remembered)))
    found = z3.If(
        asked.own_store,
        asked.stored,
        z3.If(
            asked.broadcasting,
            z3.If(remembered, forgotten, z3.If(asked.stored >= 0, asked.stored, NOT_FOUND)),
            z3.If(asked.stored >= 0, asked.stored, z3.If(_none(rules, asked), NOT_FOUND, UNANSWERED)),
        ),
    )
    none_stored = z3.And(reads, found == NOT_FOUND)
    searches = z3.And(none_stored, by_time, z3.Not(retry))
    asks_max = z3.And(none_stored, z3.Or(z3.And(by_time, retry), z3.Not(z3.Or(by_time, from_first, retry))))
    queries = z3.Or(searches, asks_max)
    slots += [
        Slot(fetches, QUERY_OFFSET, (asked.stored,)),
        Slot(z3.And(reads, pushes), READ_OFFSET, (STORE, found)),
        Slot(z3.And(reads, lite), READ_OFFSET, (MEMORY_FIRST, found)),
        Slot(asks_max, MAX_OFFSET, (asked.queried,)),
        Slot(searches, SEARCH_OFFSET, (asked.queried,)),
    ]
    unexpected = z3.And(
        asked.own_store,
        z3.Or(z3.And(reads, asked.stored == THROWN), z3.And(queries, asked.queried == THROWN)),
    )
    offset = z3.If(queries, asked.queried, z3.If(none_stored, 0, z3.If(reads, found, z3.If(pulls, 0, FAILED))))
    entered = z3.And(begins, offset >= 0)
    dispatched = z3.And(entered, pushes, z3.Not(thrown.ever))
    slots += [Slot(entered, IN), Slot(dispatched, PULL_REQUEST, (offset, rules.pull_delay))]
    throws = NO if rules.expects_all else unexpected
    memory = z3.If(z3.And(takes, asked.stored >= 0), asked.stored, forgotten)
    new = new_entry(memory, locked=rules.new_locked)
    return Addition(slots, new, entered, z3.And(asks, z3.Not(granted)), throws)


def _none(rules: Rules, asked: Asked) -> z3.BoolRef:
    """Whether the client's own store takes a broker's answer for "no offset is stored"."""
    none = asked.stored == NOT_FOUND
    return z3.Or(none, asked.stored == BROKER_ERROR) if rules.broker_error_is_none else none
