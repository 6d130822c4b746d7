"""Check that each rebalance's effects on each queue are possible in the client's code.

The possible effects are those of all runs of the modelled code.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from rebalance_proofs.model.client.effects import (
    IN,
    LOCK,
    MAX_OFFSET,
    OUT,
    PERSIST,
    READ_OFFSET,
    REMOVE_OFFSET,
    RuntimeException,
)
from rebalance_proofs.model.client.environment import DENIED, EXC, FAILS, NOT_FOUND, OK, Answers, Environment
from rebalance_proofs.model.client.process_queue_table import FREE, HELD, PULL_MAX_IDLE_TIME, ProcessQueue
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.recorded.cluster.clients import generation
from rebalance_proofs.recorded.cluster.effects import UNHEARD, Asked, Round, keep, shown
from rebalance_proofs.recorded.cluster.names import queue, topic_of
from rebalance_proofs.recorded.cluster.removals import Removal, left, removals
from rebalance_proofs.recorded.cluster.shares import answered, called, listed, lists_used
from rebalance_proofs.recorded.cluster.tally import CODE, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.event import LIST, QUERY, REBALANCING, Event
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    EntryGone,
    EntryNew,
    OffsetRead,
    ResetDone,
    ResetTold,
    Resumed,
    Resuming,
    ShutdownBegin,
    Starting,
    Subscribed,
    Unsubscribed,
)

# Rebalances on the thread that calls ``resume()``, concurrent with the rebalance thread's.

Shown = tuple[tuple[str, object], ...]
"""Effects of a rebalance on one queue, in order, each with its detail (such as an offset)."""


@dataclass
class Beside:
    """Concurrent rebalances of ``resume()`` and of the rebalance thread.

    They are checked together, because events do not name the rebalance that they belong to.
    """

    rounds: dict[str, Round] = field(default_factory=dict)
    """Topic -> effects of its concurrent rebalances, merged."""
    called: bool = False
    running: bool = False

    def begins(self, current: Round | None) -> None:
        """Begin a call of ``resume()``.

        ``current`` is the rebalance that the rebalance thread is executing.
        """
        self.called = self.running = True
        if current:
            current.beside.append(frozenset(current.allocate.result or ()))
            self.rounds[current.allocate.topic] = current

    def under_way(self, event: Event) -> bool:
        """Return True if the event can still belong to the concurrent rebalances.

        Later the rebalance thread starts a new rebalance.
        """
        if self.running and not self.called:
            thread = isinstance(event, Ask) and event.code == LIST
            self.running = not (thread or isinstance(event, (Allocate, Starting)))
        if isinstance(event, (Resumed, ResetDone)):
            self.called = False
        return self.running

    def reads(self, event: Event, known: Asked, table: dict[str, str], *, closing: bool) -> None:
        """Process one more event of the concurrent rebalances. Raises ``Unexplained``."""
        if isinstance(event, Allocate) and event.error is None:
            held = frozenset(q for q in table if queue(q).topic == event.topic)
            one = self.rounds.setdefault(event.topic, Round(event, had=held))
            one.beside.append(frozenset(event.result or ()))
        effect = shown(event, known)
        if effect is None:
            return
        q, name, detail = effect
        if name in (IN, OUT) and not (isinstance(event, EntryGone) and event.how == "clear"):
            keep(table, event, q, closing=closing)
        if queue(q).topic in self.rounds:
            self.rounds[queue(q).topic].seen[q].append((event, name, detail))
        elif name == IN:
            raise Unexplained(event, f"{q} was added to the table outside a rebalance of its topic")

    def over(self) -> Iterator[Round]:
        """Yield the merged rebalances of all topics when ``resume()`` has ended."""
        yield from self.rounds.values()
        self.rounds = {}


def together(seen: Shown, runs: Sequence[frozenset[Shown]], *, whole: bool) -> bool:
    """Return True if the effects ``seen`` are an interleaving of several rebalances' effects.

    ``runs`` has the possible effects of each rebalance. If not ``whole``, the recording does not contain the ends of
    the rebalances.
    """
    begun: set[tuple[Shown, ...]] = {((),) * len(runs)}
    for effect in seen:
        longer = {
            (*one[:place], (*one[place], effect), *one[place + 1 :]) for one in begun for place in range(len(runs))
        }
        begun = {
            one
            for one in longer
            if all(any(run[: len(part)] == part for run in of) for part, of in zip(one, runs, strict=True))
        }
    return any(not whole or all(part in of for part, of in zip(one, runs, strict=True)) for one in begun)


MACHINE = "transition"
WHERE = {"FIRST": ConsumeFromWhere.FIRST_OFFSET, "LAST": ConsumeFromWhere.LAST_OFFSET}
QUERIED: tuple[int | str, ...] = (0, 1, FAILS)
SEEN = (PERSIST, REMOVE_OFFSET, LOCK, READ_OFFSET, MAX_OFFSET, OUT, IN)
"""Effects that a recording contains in the order in which the rebalance has them.

In some releases, other threads send unlock requests and commits, so these effects are not compared.
"""


def check(trace: Trace) -> Tally:
    """Check each recorded rebalance of a topic against the runs of the modelled client code."""
    tally = Tally(MACHINE, CODE)
    for who in trace.consumers:
        for life in trace.lives(who):
            tally.about += 1
            try:
                listed(trace, life)
                called(trace, life)
                lists_used(life)
                _marks(trace.release(who), life, orderly=trace.ordered(who))
                _stored(life)
                left(trace, life)
                others = removals(life, trace.release(who))
                for gone in others:
                    if gone.gone is not None:
                        _removed(trace, who, gone, gone.gone, tally)
                for one in _rounds(life, {id(event) for gone in others for event in gone.effects}):
                    tally.shown["rounds"] += 1
                    _held(trace, who, one, tally)
            except Unexplained as found:
                tally.reject(who, found)
    return tally


def _marks(release: str, life: Sequence[Event], *, orderly: bool) -> None:
    """Check the flags of process queues that are added or removed."""
    for event in life:
        if isinstance(event, EntryNew) and event.locked != new_is_locked(release, orderly):
            raise Unexplained(event, f"a new process queue is {'' if event.locked else 'not '}locked")
        if isinstance(event, EntryGone) and event.how in ("rebalance", "clear") and not event.dropped:
            raise Unexplained(event, "a process queue is removed that is not dropped")


@cache
def new_is_locked(release: str, orderly: bool) -> bool:
    """Return whether a rebalance of the modelled client code adds a process queue that is marked as locked."""
    one = queue("T:b:0")
    environment = Environment({one: Answers(lock=OK, stored=1, queried=1)}, now=0)
    client = generation(release).made(environment, Settings(orderly=orderly))
    client.update_process_queue_table_in_rebalance("T", [one], orderly)
    return client.process_queue_table[one].locked


def _stored(life: Sequence[Event]) -> None:
    """Check that an offset that is read from the broker is that of the broker's last answer, which is read once."""
    known: defaultdict[str, dict[str, int | None]] = defaultdict(dict)
    """Queue -> thread -> the offset of the last answer, which was not read yet."""
    for event, ask in answered(life):
        if isinstance(event, Ask) and event.code == QUERY and event.said.q:
            known[event.said.q].pop(event.thread, None)
        elif isinstance(event, Answer) and event.code == QUERY and ask and ask.said.q:
            known[ask.said.q][ask.thread] = None if event.said.code else int(event.said.offset or 0)
        elif isinstance(event, OffsetRead) and event.type == "READ_FROM_STORE" and event.result >= 0:
            answers = known[event.q]
            if not answers:
                raise Unexplained(event, "the broker has not answered a new query")
            thread = next((one for one, offset in answers.items() if offset == event.result), None)
            if thread is None:
                raise Unexplained(event, f"the broker answered {', '.join(map(str, answers.values()))}")
            del answers[thread]


def _removed(trace: Trace, who: str, one: Removal, event: EntryGone, tally: Tally) -> None:
    """Check a removal by another thread: it has the effects of a rebalance that gives the queue up.

    An offset is persisted before an illegal one's process queue is removed. Raises ``Unexplained``.
    """
    seen = tuple((effect[1], None) for each in one.effects if (effect := shown(each, Asked())))
    runs = possible(trace.release(who), trace.ordered(who), trace.consumers[who].from_, True, False, queue(one.q).topic)
    gone: Shown = ((OUT, None),)
    kept = [tuple(each for each in run if each not in gone) for run in runs]
    known = {((PERSIST, None), *gone, *run) if one.illegal else (*run, *gone) for run in kept}
    tally.events += len(seen)
    if seen in known:
        tally.shown["fixed" if one.illegal else "reset"] += 1
        return
    if not trace.alive(who, event.at, event.at + STALL) and any(run[: len(seen)] == seen for run in known):
        tally.widened += 1
        return
    cause = "the correction of its illegal offset" if one.illegal else "the offset reset"
    words = " ".join(map(_word, seen))
    near = tuple(" ".join(map(_word, run)) for run in _longest(seen, frozenset(known))[1])
    raise Unexplained(event, f"no run of the client's code has these effects of {cause} on {one.q}: {words}", (), near)


def _rounds(life: Sequence[Event], others: Collection[int] = ()) -> Iterator[Round]:
    """Yield the rebalances of one process; ``others``: identities of events of removals by other threads.

    A rebalance ends by removing the process queues of topics that were unsubscribed, perhaps while it divided them.
    """
    table: dict[str, str] = {}
    current: Round | None = None
    known = Asked()
    closing = False
    resumes = Beside()
    resetting, gone = 0, set[str]()
    for event in life:
        if isinstance(event, ShutdownBegin):
            closing = True
        if isinstance(event, Unsubscribed):
            gone.add(event.topic)
        elif isinstance(event, Subscribed):
            gone.discard(event.topic)
        truncated = isinstance(event, EntryGone) and event.how == "remove" and topic_of(event.q) in gone
        if truncated or id(event) in others:
            if isinstance(event, EntryGone):
                keep(table, event, event.q, closing=True)
                if current and not truncated:
                    current.lost.add(event.q)
            continue
        if isinstance(event, ResetTold):
            resetting += 1
        if isinstance(event, Resuming) or (
            resetting
            and not resumes.called
            and isinstance(event, Ask)
            and event.code == LIST
            and event.thread != REBALANCING
        ):  # a reset ends with a resume
            resumes.begins(current)
            current = None
        if isinstance(event, ResetDone):
            resetting -= 1
        if resumes.under_way(event):
            resumes.reads(event, known, table, closing=closing)
            continue
        yield from resumes.over()
        if isinstance(event, (Allocate, Starting)) or (
            isinstance(event, Ask) and event.code == LIST and event.thread == REBALANCING
        ):
            if current:
                yield current
            current = None
            if isinstance(event, Allocate) and event.error is None:
                held = frozenset(q for q in table if queue(q).topic == event.topic)
                current = Round(event, had=held)
            continue
        effect = shown(event, known)
        if effect is None:
            continue
        q, name, detail = effect
        if name in (IN, OUT) and not (isinstance(event, EntryGone) and event.how == "clear"):
            keep(table, event, q, closing=closing or current is None or q not in current.had)
        if current and queue(q).topic == current.allocate.topic:
            current.seen[q].append((event, name, detail))
        elif name == IN:
            raise Unexplained(event, f"{q} was added to the table outside a rebalance of its topic")
    for one in resumes.over():
        one.whole = False
        yield one
    if current:
        current.whole = False
        yield current


def _held(trace: Trace, who: str, one: Round, tally: Tally) -> None:
    started, release = trace.consumers[who], trace.release(who)
    mine = set(one.allocate.result or ()).union(*one.beside)
    for q in sorted(one.had | mine | one.seen.keys()):
        seen = tuple((name, _rounded(name, detail)) for _, name, detail in one.seen[q])
        seen = _own(seen, alone=len(one.beside) < 2)
        known = possible(release, trace.ordered(who), started.from_, q in one.had, q in mine, queue(q).topic)
        if q in one.lost:
            known |= possible(release, trace.ordered(who), started.from_, False, q in mine, queue(q).topic)
        tally.events += len(seen) or 1
        if len(one.beside) > 1:
            runs = [
                frozenset().union(
                    *(possible(release, trace.ordered(who), started.from_, had, q in share, queue(q).topic)
                      for had in (False, True))
                )
                for share in one.beside
            ]  # fmt: skip
            if (IN, None) in seen:  # the other rebalance has added it first (``putIfAbsent``)
                late = [frozenset(tuple(one for one in run if one != (IN, None)) for run in of) for of in runs]
                runs = [of | than for of, than in zip(runs, late, strict=True)]
            if together(seen, runs, whole=one.whole and not _cut(trace, who, one)):
                tally.shown["queues"] += 1
                continue
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
            f"no run of the client's code has these effects of the rebalance of {one.allocate.topic} on {q}: {words}",
            (f"{q} was {'' if q in one.had else 'not '}in the table, is {'' if q in mine else 'not '}in the result",),
            tuple(" ".join(map(_word, each)) or "nothing" for each in near),
        )


def _own(seen: Shown, *, alone: bool) -> Shown:
    """Return the effects without reads of a queue's offset by pulls, which follow the queue's addition.

    If several threads rebalance (not ``alone``), another rebalance can still read it; it seldom fails.
    """
    added = seen.index((IN, None)) if (IN, None) in seen else len(seen)
    return tuple(
        (name, detail)
        for place, (name, detail) in enumerate(seen)
        if place < added or name != READ_OFFSET or not (alone or detail == UNHEARD)
    )


def _cut(trace: Trace, who: str, one: Round) -> bool:
    """Return True if a shutdown or an expired pull interrupted the rebalance.

    A shutdown empties the table.
    """
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
    """Return any offset as 1, and other details unchanged.

    Effects are compared without offset values.
    """
    found = name in (READ_OFFSET, MAX_OFFSET) and isinstance(detail, int) and detail > 0
    return 1 if found else detail


@cache
def possible(release: str, orderly: bool, where: str, had: bool, mine: bool, topic: str) -> frozenset[Shown]:
    """Return all visible effects that one rebalance can have on one queue.

    All broker answers and states of the process queue are tried. ``had``: the queue was in the table before; ``mine``:
    the queue is in the rebalance's result.
    """
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
