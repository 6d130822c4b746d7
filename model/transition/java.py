"""The Java client's rebalance of one queue as SMT terms, with ``Rules`` for each generation."""

from dataclasses import dataclass, replace

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
from rebalance_proofs.model.client.process_queue_table import FREE, HELD, INTERRUPTED
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import LITE_PULL, PULL, PUSH
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import NO
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


@dataclass(frozen=True)
class Rules:
    """Differences between generations of the Java client in a rebalance."""

    marks_first: bool
    """All process queues to be removed are dropped before the first one is removed."""
    expects_all: bool
    """No exception of the offset store ends the rebalance while queues are added."""
    keeps_offset: bool
    """An ordered queue's offset is removed only together with its process queue.

    Its lock is then released at once.
    """
    try_lock: int
    """Time in ms to wait for the lock that an ordered listener holds while it runs."""
    pull_delay: int
    """Delay of a new queue's first pull, in ms."""
    broker_error_is_none: bool
    """The default store treats every error answer of a broker as "no offset is stored"."""
    file_persists: bool
    """The default store of a broadcasting consumer handles the offset of a single queue.

    It writes and removes that offset.
    """
    new_locked: bool = True
    """A new process queue is marked as locked."""
    forces: bool = True
    """A lock without a recent renewal is released even while the listener runs.

    Only with ``keeps_offset``.
    """
    groups_by_destination: bool = False
    """Lock renewals of a static topic's queues go to the broker that the queues are on.

    Otherwise only those of brokers that the client asks for other queues, too.
    """
    gives_back: bool = True
    """An ordered queue's lock is released when its process queue is removed."""


def encoding(rules: Rules) -> TransitionEncoding:
    """Return the SMT encoding of a rebalance of one queue under these rules."""

    def step(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
        removal = _remove(rules, entry, asked, thrown)
        return joined(removal, _add(rules, entry, removal, asked, thrown))

    def possible(thrown: Thrown, own_store: smt.BoolTerm) -> smt.BoolTerm:
        chain = [smt.Implies(thrown.removing, thrown.adding), smt.Implies(thrown.adding, thrown.ever)]
        quiet = smt.Implies(smt.Not(own_store), smt.Not(thrown.ever))
        return smt.And(*chain, quiet, *([smt.Implies(thrown.ever, thrown.adding)] if rules.expects_all else []))

    def renew(entry: Entry, asked: Asked, batch: Batch) -> Step:
        return _renew(rules, entry, asked, batch)

    return TransitionEncoding(step, possible, unsubscribe, renew)


def _renew(rules: Rules, entry: Entry, asked: Asked, batch: Batch) -> Step:
    """Return the effect of ``lockAll`` on one queue.

    One request covers all queues of a broker, and the client accepts the answer.
    """
    speaks = smt.And(entry.present, smt.Not(entry.dropped)) if rules.marks_first else entry.present
    # 4.9 has no static topics: their brokers' names have no address.
    reached = smt.Or(smt.Not(asked.static), batch.found) if rules.marks_first else smt.Not(asked.static)
    if rules.groups_by_destination:
        reached = smt.BoolVal(True)
    sent = smt.And(speaks, reached, asked.lock != LOCKS.index(NO_BROKER))
    granted = smt.Or(asked.lock == LOCKS.index(OK), asked.lock == LOCKS.index(UNLOCK_EXC))
    noted = smt.And(sent, smt.Not(batch.fails))
    after = replace(
        entry,
        locked=smt.If(noted, granted, entry.locked),
        lock_age=smt.If(smt.And(noted, granted), 0, entry.lock_age),
    )
    addition = (
        Slot(smt.And(noted, granted), PROCESS_QUEUE_LOCKED, (1,)),
        Slot(smt.And(noted, smt.Not(granted)), PROCESS_QUEUE_LOCKED, (0,)),
    )
    return Step(removal=(), addition=addition, after=after, former=after)


def unsubscribe(entry: Entry) -> Step:
    """Return the effect on a queue when its topic is unsubscribed: it is removed and dropped.

    There are no further effects. Mirror of ``truncateMessageQueueNotMyTopic``.
    """
    former = replace(entry, dropped=smt.Or(entry.dropped, entry.present))
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
    overdue = smt.And(pushes, entry.pull_age > PULL_IDLE_LIMIT)
    unwanted = smt.And(entry.present, asked.mine, smt.Or(smt.Not(asked.in_set), overdue))
    turn = smt.And(unwanted, smt.Not(thrown.removing))
    marked = unwanted if rules.marks_first else turn
    ordered = smt.And(pushes, asked.orderly, smt.Not(asked.broadcasting)) if rules.gives_back else NO

    throws = smt.And(asked.own_store, asked.persist == PERSISTS.index("throw"))
    persisted = smt.And(turn, smt.Not(throws))
    slots = [
        Slot(marked, DROP),
        Slot(smt.And(turn, throws), PERSIST, ("throw",)),
        Slot(_heard(rules, persisted, asked), PERSIST),
        *_stored(rules, persisted, asked.persist == PERSISTS.index("throw"), entry.memory, asked),
    ]
    under_lock = smt.And(persisted, ordered)
    forced = smt.And(under_lock, entry.lock_age > asked.unlock_delay) if rules.keeps_offset and rules.forces else NO
    tries = smt.And(under_lock, smt.Not(forced))
    free, held, interrupted = (smt.And(tries, entry.consume_lock == state) for state in (FREE, HELD, INTERRUPTED))
    attempts = [
        Slot(free, TRY_CONSUME_LOCK, (rules.try_lock, 1)),
        Slot(held, TRY_CONSUME_LOCK, (rules.try_lock, 0)),
        Slot(interrupted, TRY_CONSUME_LOCK, (rules.try_lock, "INT")),
    ]
    if not rules.keeps_offset:
        at_once = smt.And(free, smt.Not(entry.cached))
        slots += [
            Slot(_heard(rules, persisted, asked), REMOVE_OFFSET),
            *attempts,
            Slot(held, TRY_UNLOCK_TIMES),
            *_unlock(at_once, asked),
        ]
        slots += [
            Slot(smt.And(free, entry.cached), SCHEDULE_UNLOCK, (asked.unlock_delay,)),
            Slot(free, RELEASE_CONSUME_LOCK),
        ]
        out = smt.And(persisted, smt.Or(smt.Not(ordered), free))
        counted, unlocks, forgotten = held, NO, persisted
    else:
        leaves = smt.Or(forced, free)
        throws_again = smt.And(asked.own_store, asked.persist == PERSISTS.index("throw2"))
        failed = smt.And(leaves, throws_again)
        unlocks = smt.And(leaves, smt.Not(throws_again))
        out = smt.Or(smt.And(persisted, smt.Not(ordered)), unlocks)
        counted, forgotten = smt.Or(held, interrupted, failed), out
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
        dropped=smt.Or(entry.dropped, marked),
        locked=smt.And(entry.locked, smt.Not(unlocks)),
        tries=entry.tries + smt.If(counted, 1, 0),
        memory=_forgotten(rules, forgotten, entry.memory, asked),
    )
    return Removal([*slots, Slot(out, OUT)], former, out, smt.And(turn, throws))


def _unlock(gives: smt.BoolTerm, asked: Asked) -> list[Slot]:
    """Return the possible effect of an unlock request; ``gives``: whether the client sends one.

    The client sends none if the broker's address is unknown.
    """
    fails = asked.lock == LOCKS.index(UNLOCK_EXC)
    told = smt.And(gives, asked.lock != LOCKS.index(NO_BROKER))
    return [Slot(smt.And(told, fails), UNLOCK, (EXC,)), Slot(smt.And(told, smt.Not(fails)), UNLOCK)]


def _stored(
    rules: Rules, persisted: smt.BoolTerm, fails: smt.BoolTerm, memory: smt.IntTerm, asked: Asked
) -> tuple[Slot, ...]:
    """Return the possible effects of persisting an offset by the client's default store.

    The store only logs a failure. ``persisted``: whether the client calls ``persist``.
    """
    does = smt.And(persisted, smt.Not(asked.own_store), memory != NO_OFFSET)
    sends = smt.And(does, smt.Not(asked.broadcasting))
    sending = (
        Slot(smt.And(sends, fails), UPDATE_OFFSET, (memory, EXC)),
        Slot(smt.And(sends, smt.Not(fails)), UPDATE_OFFSET, (memory,)),
    )
    if not rules.file_persists:
        return sending
    writes = smt.And(does, asked.broadcasting)
    return (
        *sending,
        Slot(smt.And(writes, fails), WRITE_OFFSET, (memory, EXC)),
        Slot(smt.And(writes, smt.Not(fails)), WRITE_OFFSET, (memory,)),
    )


def _heard(rules: Rules, told: smt.BoolTerm, asked: Asked) -> smt.BoolTerm:
    """Check whether the store does anything in ``persist`` or ``removeOffset``."""
    return told if rules.file_persists else smt.And(told, smt.Or(asked.own_store, smt.Not(asked.broadcasting)))


def _forgotten(rules: Rules, removed: smt.BoolTerm, memory: smt.IntTerm, asked: Asked) -> smt.IntTerm:
    """Return the offset in the default store's memory after ``removeOffset``.

    ``removed``: whether the client calls that method.
    """
    return smt.If(smt.And(_heard(rules, removed, asked), smt.Not(asked.own_store)), NO_OFFSET, memory)


def _add(rules: Rules, entry: Entry, removal: Removal, asked: Asked, thrown: Thrown) -> Addition:
    absent = smt.Or(smt.Not(entry.present), removal.out)
    turn = smt.And(asked.in_set, absent, smt.Not(thrown.adding))
    asks = smt.And(turn, asked.order)
    granted = smt.Or(asked.lock == LOCKS.index(OK), asked.lock == LOCKS.index(UNLOCK_EXC))
    begins = smt.And(turn, smt.Or(smt.Not(asked.order), granted))
    slots = [
        Slot(smt.And(asks, granted), LOCK, (OK,)),
        Slot(smt.And(asks, asked.lock == LOCKS.index(DENIED)), LOCK, (DENIED,)),
        Slot(smt.And(asks, asked.lock == LOCKS.index(EXC)), LOCK, (EXC,)),
        Slot(_heard(rules, begins, asked), REMOVE_OFFSET),
    ]

    pushes, pulls = asked.kind == KINDS.index(PUSH), asked.kind == KINDS.index(PULL)
    lite = asked.kind == KINDS.index(LITE_PULL)
    from_first = asked.where == WHERES.index(ConsumeFromWhere.FIRST_OFFSET)
    by_time = asked.where == WHERES.index(ConsumeFromWhere.TIMESTAMP)
    deprecated = asked.where == WHERES.index(ConsumeFromWhere.MIN_OFFSET)
    retry = smt.And(asked.retry, asked.mine)

    reads = smt.And(begins, smt.Not(pulls), smt.Not(smt.And(lite, deprecated)))
    forgotten = _forgotten(rules, begins, removal.former.memory, asked)
    shipped, remembered = smt.Not(asked.own_store), smt.And(lite, forgotten != NO_OFFSET)
    fetches = smt.And(reads, shipped, smt.Not(asked.broadcasting))
    takes = smt.And(reads, shipped, smt.Or(smt.Not(asked.broadcasting), smt.Not(remembered)))
    found = smt.If(
        asked.own_store,
        asked.stored,
        smt.If(
            asked.broadcasting,
            smt.If(remembered, forgotten, smt.If(asked.stored >= 0, asked.stored, NOT_FOUND)),
            smt.If(asked.stored >= 0, asked.stored, smt.If(_none(rules, asked), NOT_FOUND, UNANSWERED)),
        ),
    )
    none_stored = smt.And(reads, found == NOT_FOUND)
    searches = smt.And(none_stored, by_time, smt.Not(retry))
    asks_max = smt.And(none_stored, smt.Or(smt.And(by_time, retry), smt.Not(smt.Or(by_time, from_first, retry))))
    queries = smt.Or(searches, asks_max)
    slots += [
        Slot(fetches, QUERY_OFFSET, (asked.stored,)),
        Slot(smt.And(reads, pushes), READ_OFFSET, (STORE, found)),
        Slot(smt.And(reads, lite), READ_OFFSET, (MEMORY_FIRST, found)),
        Slot(asks_max, MAX_OFFSET, (asked.queried,)),
        Slot(searches, SEARCH_OFFSET, (asked.queried,)),
    ]
    unexpected = smt.And(
        asked.own_store,
        smt.Or(smt.And(reads, asked.stored == THROWN), smt.And(queries, asked.queried == THROWN)),
    )
    offset = smt.If(queries, asked.queried, smt.If(none_stored, 0, smt.If(reads, found, smt.If(pulls, 0, FAILED))))
    entered = smt.And(begins, offset >= 0)
    dispatched = smt.And(entered, pushes, smt.Not(thrown.ever))
    slots += [Slot(entered, IN), Slot(dispatched, PULL_REQUEST, (offset, rules.pull_delay))]
    throws = NO if rules.expects_all else unexpected
    memory = smt.If(smt.And(takes, asked.stored >= 0), asked.stored, forgotten)
    new = new_entry(memory, locked=rules.new_locked)
    return Addition(slots, new, entered, smt.And(asks, smt.Not(granted)), throws)


def _none(rules: Rules, asked: Asked) -> smt.BoolTerm:
    """Check whether the client's default store treats the answer as "no offset is stored"."""
    none = asked.stored == NOT_FOUND
    return smt.Or(none, asked.stored == BROKER_ERROR) if rules.broker_error_is_none else none
