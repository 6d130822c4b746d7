"""Rounds of the table: what a rebalance of one topic did to each queue is what the client's code does with those
answers."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from rebalance_proofs.model.client.effects import IN, LOCK, MAX_OFFSET, OUT, PERSIST, READ_OFFSET, REMOVE_OFFSET
from rebalance_proofs.model.client.environment import DENIED, EXC, FAILS, NOT_FOUND, OK, Answers, Environment
from rebalance_proofs.model.client.errors import RuntimeException
from rebalance_proofs.model.client.process_queue import FREE, HELD, PULL_MAX_IDLE_TIME, ProcessQueue
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.recorded.cluster.clients import generation
from rebalance_proofs.recorded.cluster.requests import MOST_WAIT
from rebalance_proofs.recorded.cluster.shares import queue
from rebalance_proofs.recorded.cluster.tally import CODE, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.codes import LIST, QUERY
from rebalance_proofs.recorded.groups.codes import LOCK as LOCK_BATCH
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    EntryGone,
    EntryNew,
    OffsetRead,
    OffsetRemoved,
    Persist,
    ShutdownBegin,
    Starting,
    Unsubscribed,
)

__all__ = ["MACHINE", "THREAD", "check", "possible"]

MACHINE = "transition"
THREAD = "RebalanceService"
WHERE = {"FIRST": ConsumeFromWhere.FIRST_OFFSET, "LAST": ConsumeFromWhere.LAST_OFFSET}
QUERIED: tuple[int | str, ...] = (0, 1, FAILS)
SEEN = (PERSIST, REMOVE_OFFSET, LOCK, READ_OFFSET, MAX_OFFSET, OUT, IN)
"""Effects that a recording shows in the order in which the rebalance has them. An unlock and a commit are sent by other
threads in some releases."""
Shown = tuple[tuple[str, object], ...]


@dataclass
class Round:
    """One rebalance of one topic, as far as it was seen."""

    allocate: Allocate
    seen: defaultdict[str, list[tuple[Event, str, object]]] = field(default_factory=lambda: defaultdict(list))
    """Queue -> its effects, each with its event."""
    had: frozenset[str] = frozenset()
    """The queues of the topic that were in the table when it began."""
    whole: bool = True
    """Whether the process has gone on behind it."""


def check(trace: Trace) -> Tally:
    """Hold each rebalance of a topic to the client's code."""
    tally = Tally(MACHINE, CODE)
    for who in trace.consumers:
        for life in trace.lives(who):
            tally.about += 1
            try:
                _listed(trace, life)
                for one in _rounds(life):
                    tally.shown["rounds"] += 1
                    _held(trace, who, one, tally)
            except Unexplained as found:
                tally.reject(who, found)
    return tally


def _listed(trace: Trace, life: Sequence[Event]) -> None:
    """An answer with ids leads to a call of the strategy for each topic whose queues were known before."""
    away = [
        (trace.told_to_end(broker, since) or since, until + MOST_WAIT)
        for broker in trace.brokers
        for since, until in trace.away(broker)
    ]
    before = 0
    topics, good, waits = 1, Counter[str](), False
    failed: set[str] = set()
    gone = {event.topic for event in life if isinstance(event, Unsubscribed)}
    for event in life:
        if any(since <= event.at and before <= until for since, until in away):
            failed.update(good)  # who cannot connect asks nobody
        before = event.at
        if isinstance(event, Ask) and event.said.groups:
            topics = max([topics, *(len(one.subs) for one in event.said.groups)])
        elif isinstance(event, Ask) and event.code == LIST and event.thread == THREAD:
            failed.update(good if waits else ())
            waits = True
        elif isinstance(event, Answer) and event.code == LIST:
            waits = False
            failed.update(() if event.said.ids else good)
            for topic in good:
                good[topic] += 1
                if good[topic] > topics and topic not in failed | gone:
                    why = f"the strategy was not called for {topic} since {topics} answers with ids"
                    raise Unexplained(event, why)
        elif isinstance(event, Allocate):
            good[event.topic] = 0
            failed.discard(event.topic)
        elif isinstance(event, ShutdownBegin):
            return


def _rounds(life: Sequence[Event]) -> Iterator[Round]:
    table: dict[str, str] = {}
    current: Round | None = None
    known = _Asked()
    closing = False
    for event in life:
        if isinstance(event, ShutdownBegin):
            closing = True
        if isinstance(event, (Allocate, Starting)) or (
            isinstance(event, Ask) and event.code == LIST and event.thread == THREAD
        ):
            if current:
                yield current
            current = None
            if isinstance(event, Allocate) and event.error is None:
                held = frozenset(q for q in table if queue(q).topic == event.topic)
                current = Round(event, had=held)
            continue
        shown = _shown(event, known)
        if shown is None:
            continue
        q, name, detail = shown
        if name in (IN, OUT) and not (isinstance(event, EntryGone) and event.how == "clear"):
            _table(table, event, q, closing=closing or current is None or q not in current.had)
        if current and queue(q).topic == current.allocate.topic:
            current.seen[q].append((event, name, detail))
        elif name == IN:
            raise Unexplained(event, f"{q} came into the table in no rebalance of its topic")
    if current:
        current.whole = False
        yield current


def _table(table: dict[str, str], event: Event, q: str, *, closing: bool) -> None:
    if isinstance(event, EntryNew):
        if q in table:
            raise Unexplained(event, f"{q} has an entry already, {table[q]}")
        table[q] = event.entry
    elif isinstance(event, EntryGone):
        if table.get(q) != event.entry:
            raise Unexplained(event, f"{q} has the entry {table.get(q)}, not {event.entry}")
        del table[q]


@dataclass
class _Asked:
    """What the rebalance thread has asked for, to know its answers by."""

    of: dict[int, Ask] = field(default_factory=dict)
    reads: dict[str, str] = field(default_factory=dict)
    """Queue -> the thread that last asked for its offset."""


def _shown(event: Event, known: _Asked) -> tuple[str, str, object] | None:
    """Queue, effect and detail that an event of the rebalance thread shows; None for others."""
    if isinstance(event, Ask):
        known.of[event.opaque] = event
        if event.code == QUERY and event.said.q:
            known.reads[event.said.q] = event.thread
        return None
    if isinstance(event, Answer):
        ask = known.of.get(event.opaque)
        if ask is None or ask.thread != THREAD or ask.code != event.code:
            return None
        if event.code == LOCK_BATCH and len(ask.said.queues) == 1:
            (q,) = ask.said.queues
            return q, LOCK, OK if q in (event.said.granted or ()) else DENIED
        if event.code == "GET_MAX_OFFSET" and ask.said.q:
            return ask.said.q, MAX_OFFSET, event.said.offset
        return None
    if isinstance(event, OffsetRead):
        thread = known.reads.get(event.q, THREAD)
        return (event.q, READ_OFFSET, event.result) if thread == THREAD else None
    if isinstance(event, OffsetRemoved):
        return event.q, REMOVE_OFFSET, None
    if isinstance(event, Persist):
        return event.q, PERSIST, None
    if isinstance(event, EntryNew):
        return event.q, IN, None
    if isinstance(event, EntryGone) and event.how != "clear":
        return event.q, OUT, None
    return None


def _held(trace: Trace, who: str, one: Round, tally: Tally) -> None:
    started, release = trace.consumers[who], trace.release(who)
    mine = set(one.allocate.result or ())
    for q in sorted(one.had | mine | one.seen.keys()):
        seen = tuple((name, _rounded(name, detail)) for _, name, detail in one.seen[q])
        known = possible(release, trace.ordered(who), started.from_, q in one.had, q in mine, queue(q).topic)
        tally.events += len(seen) or 1
        if seen in known:
            tally.shown["queues"] += 1
            tally.shown["taken"] += (OUT, None) in seen
            tally.shown["added"] += (IN, None) in seen
            continue
        if (not one.whole or _cut(trace, who, one)) and any(each[: len(seen)] == seen for each in known):
            tally.widened += 1
            continue
        place, near = _longest(seen, known)
        event = one.seen[q][min(place, len(seen) - 1)][0] if seen else one.allocate
        words = " ".join(_word(each) for each in seen) or "nothing"
        raise Unexplained(
            event,
            f"the rebalance of {one.allocate.topic} did with {q}: {words}; no run of the client's code does",
            (f"{q} was {'' if q in one.had else 'not '}in the table, and is {'' if q in mine else 'not '}its own",),
            tuple(" ".join(map(_word, each)) or "nothing" for each in near),
        )


def _cut(trace: Trace, who: str, one: Round) -> bool:
    """Whether a shutdown, which empties the table, or a time-out came into the round."""
    after = [event for event in trace.kind(ShutdownBegin, who) if event.at >= one.allocate.at]
    return bool(after) and after[0].at - one.allocate.at < PULL_MAX_IDLE_TIME


def _word(effect: tuple[str, object]) -> str:
    return effect[0] if effect[1] is None else f"{effect[0]}({effect[1]})"


def _longest(seen: Shown, known: frozenset[Shown]) -> tuple[int, list[Shown]]:
    def common(one: Shown) -> int:
        return next((place for place, pair in enumerate(zip(one, seen, strict=False)) if pair[0] != pair[1]), len(one))

    best = max(map(common, known), default=0)
    return best, sorted((one for one in known if common(one) == best), key=str)[:3]


def _rounded(name: str, detail: object) -> object:
    """An offset that is found stands for any other one."""
    found = name in (READ_OFFSET, MAX_OFFSET) and isinstance(detail, int) and detail > 0
    return 1 if found else detail


@cache
def possible(release: str, orderly: bool, where: str, had: bool, mine: bool, topic: str) -> frozenset[Shown]:
    """The visible effects of every run of the client's code on one queue, over all answers and states of the entry."""
    found = set()
    one = queue(f"{topic}:b:0")
    settings = Settings(orderly=orderly, consume_from_where=WHERE.get(where, ConsumeFromWhere.TIMESTAMP))
    locks = (OK, DENIED, EXC) if orderly else (OK,)
    entries = (
        product((FREE, HELD), (0, 1), (False, True), (0, 10 * PULL_MAX_IDLE_TIME)) if had else [(FREE, 0, False, 0)]
    )
    for (consume_lock, cached, expired, age), lock, stored, queried in product(
        list(entries), locks, (0, 1, NOT_FOUND, -2), QUERIED
    ):
        answers = Answers(lock=lock, stored=stored, queried=queried)
        client = generation(release).made(Environment({one: answers}, now=20 * PULL_MAX_IDLE_TIME), settings)
        now = client.environment.now
        if had:
            pulled = now - (PULL_MAX_IDLE_TIME + 1 if expired else 0)
            client.process_queue_table[one] = ProcessQueue(
                locked=True,
                last_pull_timestamp=pulled,
                last_lock_timestamp=now - age,
                consume_lock=consume_lock,
                cached=cached,
            )
        try:
            client.update_process_queue_table_in_rebalance(topic, [one] if mine else [], orderly)
        except RuntimeException:
            continue
        effects = [effect for effect in client.environment.effects if effect[1] == one and effect[0] in SEEN]
        found.add(tuple(shown for effect in effects if (shown := _visible(effect)) is not None))
    return frozenset(found)


def _visible(effect: tuple[object, ...]) -> tuple[str, object] | None:
    name, details = str(effect[0]), effect[2:]
    if name == LOCK:
        return None if details[0] == EXC else (name, details[0])
    if name == READ_OFFSET:
        return name, details[-1]
    if name == MAX_OFFSET:
        return None if details[-1] == FAILS else (name, details[-1])
    return name, None
