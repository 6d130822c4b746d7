"""Look for events that claims about receive loops of gRPC clients deny: in recorded groups, and in compared packages.

Both become the same steps. A step is an answer, a failed query, or a call of the user, with the receive loops before
and after it. A compared package equals the model in all sequences of steps, so the model's loops are the package's.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from rebalance_proofs.model.machines.receiving import IN_TIME, PROGRESS
from rebalance_proofs.model.receiving.sdks import PushConsumer
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.recorded.grpc import events as of
from rebalance_proofs.recorded.grpc.check import Checked
from rebalance_proofs.recorded.grpc.events import Event
from rebalance_proofs.recorded.packages.steps import ALL, Replay
from rebalance_proofs.report.reality.told import Bad, Told

KIND = "receiving"
Q = Any
"""A queue: its name in a recording, or topic and number."""
SECOND = "an answer began a second receive loop of a queue"
IDLE = "a queue of an answer was left without a receive loop"
KEPT = "a queue that is not in an answer was left with a receive loop"
FULL = "a receive loop ran on after an empty answer"
LOST = "a failed query dropped a process queue with a receive loop"
TOUCHED = "an answer for one topic changed the receive loops of another topic's queue"
UNSUBSCRIBED = "a receive loop of a topic ran after `unsubscribe`"
STOPPED = "a receive loop ran after `shutdown`"
GUARANTEES: Mapping[str, str] = {
    SECOND: "one-loop",
    IDLE: "received",
    KEPT: "let-go",
    FULL: "emptied",
    LOST: "unharmed",
    TOUCHED: "apart",
    UNSUBSCRIBED: "unsubscribed",
    STOPPED: "stopped",
}
"""Event that claims deny -> their guarantee."""


@dataclass(frozen=True)
class Loops:
    """The receive loops of one consumer."""

    table: Mapping[Q, int]
    """Queue with a process queue -> its receive loops."""
    others: Mapping[Q, int] = field(default_factory=dict)
    """Queue -> receive loops of its process queues that have left the table."""

    def of(self, q: Q) -> int:
        """Return the number of a queue's receive loops."""
        return self.table.get(q, 0) + self.others.get(q, 0)

    @property
    def running(self) -> Iterator[Q]:
        """The queues with a receive loop."""
        return (q for q in {**self.table, **self.others} if self.of(q))


@dataclass(frozen=True)
class Step:
    """What a consumer took, and its receive loops before and after it."""

    kind: str
    """``answer``, ``fail``, ``unsubscribe`` or ``shutdown``."""
    topic: str
    queues: frozenset[Q]
    """The queues of an answer."""
    before: Loops
    after: Loops
    of_topic: Mapping[Q, str]
    """Queue -> its topic."""
    subscribed: bool = True
    """Whether the consumer subscribes to the topic before the step."""
    running: bool = True
    """Whether the consumer is not shut down before the step."""
    stuck: frozenset[Q] = frozenset()
    """Queues with a receive loop that was stuck before."""
    late: frozenset[str] = frozenset()
    """Topics that had an answer after ``unsubscribe`` or ``shutdown``, before the step."""
    at: int = 0


@dataclass(frozen=True)
class Look:
    """A chance for an event, and whether the event happened."""

    what: str
    bad: bool
    failed: frozenset[str]
    """Names of assumptions that had failed for the queue."""
    at: int


def looks(step: Step) -> Iterator[Look]:
    """Yield the chances of one step for all events."""
    before, after = step.before, step.after

    def look(what: str, q: Q, bad: bool) -> Look:
        late = step.of_topic[q] in step.late or (step.kind == "answer" and not (step.running and step.subscribed))
        failed = ((PROGRESS.name, q in step.stuck), (IN_TIME.name, late))
        return Look(what, bad, frozenset(name for name, yes in failed if yes), step.at)

    mine = [q for q in before.running if step.of_topic[q] == step.topic]
    if step.kind == "answer":
        yield from (look(SECOND, q, after.of(q) > max(1, before.of(q))) for q in {*before.running, *step.queues})
        rest = [q for q in before.running if step.of_topic[q] != step.topic]
        yield from (look(TOUCHED, q, after.of(q) != before.of(q)) for q in rest)
        if not step.running:
            yield from (look(STOPPED, q, after.of(q) > 0) for q in step.queues)
        elif not step.subscribed:
            yield from (look(UNSUBSCRIBED, q, after.of(q) > 0) for q in step.queues)
        else:
            yield from (look(IDLE, q, not after.of(q)) for q in step.queues)
            gone = KEPT if step.queues else FULL
            yield from (look(gone, q, after.of(q) > 0) for q in mine if q not in step.queues)
    elif step.kind == "fail":
        yield from (look(LOST, q, q not in after.table) for q in mine if before.table.get(q))
    elif step.kind == "unsubscribe":
        yield from (look(UNSUBSCRIBED, q, after.of(q) > 0) for q in mine)
    elif step.kind == "shutdown":
        yield from (look(STOPPED, q, after.of(q) > 0) for q in before.running)


def told(subject: str, steps: Iterable[Step]) -> list[Told]:
    """Return what steps of a client show about each claim: ``subject`` is the client's name in claim ids.

    A step counts for a claim if the claim's assumptions about progress and late answers had not failed before, or
    only the one that the claim drops.
    """
    chances: defaultdict[str, int] = defaultdict(int)
    bad: defaultdict[str, list[Bad]] = defaultdict(list)
    claims = _claims(subject)
    for step in steps:
        for look in looks(step):
            for claim in claims[GUARANTEES[look.what], look.failed]:
                chances[claim.id] += 1
                bad[claim.id] += [(look.at, None)] * look.bad
    whats = {guarantee: what for what, guarantee in GUARANTEES.items()}
    every = {claim.id: claim for found in claims.values() for claim in found}
    return [Told([one], whats[one.guarantee.name], chances[name], bad[name]) for name, one in sorted(every.items())]


@cache
def _claims(subject: str) -> Mapping[tuple[str, frozenset[str]], Sequence[Claim]]:
    """Return the claims about a client, by guarantee and assumptions that have failed."""
    found: defaultdict[tuple[str, frozenset[str]], list[Claim]] = defaultdict(list)
    cases = [frozenset(names) for names in ((), (PROGRESS.name,), (IN_TIME.name,), (PROGRESS.name, IN_TIME.name))]
    for claim in LEDGER:
        if claim.kind == KIND and claim.subjects[0].name == subject:
            world = claim.world
            gone = {world.gone.name} if world.gone else set()
            for failed in cases:
                if gone <= failed and not failed & {one.name for one in world.made if one.name}:
                    found[claim.guarantee.name, failed].append(claim)
    return found


# ---- Steps of a recorded member


def recorded(found: Checked, who: str) -> Iterator[Step]:
    """Yield the steps of a gRPC member of a recording."""
    yield from _Member(found.recording.events.get(who, ()), found.start).steps()


@dataclass
class _Member:
    """Reader of one member's events."""

    events: Sequence[tuple[str, Event]]
    start: int
    queues: dict[int, str] = field(default_factory=dict)
    """Process queue -> its queue."""
    loops: dict[int, int] = field(default_factory=dict)
    waiting: dict[int, int] = field(default_factory=dict)
    """Dropped process queue -> loops that may send one more request: they waited for a thread."""
    flying: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    """Process queue -> receive requests in flight."""
    limited: bool = False
    """Whether the client has a limited number of threads for receive requests."""
    table: dict[str, int] = field(default_factory=dict)

    def steps(self) -> Iterator[Step]:
        """Yield the steps up to the shutdown; an answer is applied when the next table shows it."""
        answer: of.Answer | None = None
        failed: list[tuple[of.Failed, Loops]] = []
        before = self._now(0)
        for place, (name, event) in enumerate(self.events):
            if failed and name in ("answer", "failed", "shutdown"):
                yield from (self._step("fail", one, then, self._now(place)) for one, then in failed)
                failed.clear()
            match event:
                case of.Answer():
                    answer, before = event, self._now(place)
                case of.Failed():
                    failed.append((event, self._now(place)))
                case of.Create():
                    self.queues[event.p], self.loops[event.p] = event.q, 0
                case of.OfQueue() if name == "drop":
                    self.waiting[event.p] = self.loops[event.p] - self.flying[event.p] if self.limited else 0
                    self.table = {q: p for q, p in self.table.items() if p != event.p}
                case of.OfQueue() if name == "begin":
                    self.loops[event.p] += 1
                case of.OfQueue() if name == "receive":
                    self.flying[event.p] += 1
                case of.Received():
                    self.flying[event.p] -= 1
                case of.Started():
                    self.limited = event.workers is not None
                case of.Table():
                    self.table = dict(event.table)
                    if answer is not None and answer.topic == event.topic:
                        yield self._step("answer", answer, before, self._now(place))
                    answer = None
            if name == "shutdown":
                yield from self._shutdown(place, event)
                return

    def _shutdown(self, place: int, event: Event) -> Iterator[Step]:
        """Yield the shutdown, with the queues whose requests have ended before its end.

        If threads are limited, tasks that waited for one send a request after it, which must fail.
        """
        ends = [number for number, (name, _) in enumerate(self.events) if name == "shutdown-end"]
        if not ends or ends[0] + 1 == len(self.events):  # the process ended at once, so no loop could go on
            return
        for name, one in self.events[place : ends[0]]:
            if isinstance(one, of.Received):
                self.flying[one.p] -= 1
            elif isinstance(one, of.OfQueue) and name == "receive":
                self.flying[one.p] += 1
        idle = {q: self.loops[p] for q, p in self.table.items() if not self.flying[p]}
        later = [one for _, one in self.events[ends[0] :]]
        received = {one.p for one in later if isinstance(one, of.Received) and one.error is None}
        on = {q for q, p in self.table.items() if p in received or (not self.limited and self._requests(p, ends[0]))}
        yield self._step("shutdown", event, Loops(idle), Loops({q: n for q, n in idle.items() if q in on}))

    def _now(self, place: int) -> Loops:
        """Return the receive loops at an event; those of a dropped process queue count if they go on."""
        others: defaultdict[str, int] = defaultdict(int)
        for p, loops in self.loops.items():
            goes_on = p not in self.waiting or self._requests(p, place) > self.waiting[p]
            if p not in self.table.values() and goes_on:
                others[self.queues[p]] += loops
        return Loops({q: self.loops[p] for q, p in self.table.items()}, {q: n for q, n in others.items() if n})

    def _requests(self, p: int, place: int) -> int:
        """Return the number of receive requests of a process queue after an event."""
        later = self.events[place:]
        return sum(isinstance(one, of.OfQueue) and name == "receive" and one.p == p for name, one in later)

    def _step(self, kind: str, event: Event, before: Loops, after: Loops) -> Step:
        topic = event.topic if isinstance(event, of.Answer | of.Failed) else ""
        queues = frozenset(event.queues) if isinstance(event, of.Answer) else frozenset[str]()
        every = {*queues, *self.queues.values()}
        of_topic = {q: q.partition(":")[0] for q in every}
        return Step(kind, topic, queues, before, after, of_topic, at=event.at - self.start)


# ---- Steps of a compared package


def sequences(made: type[PushConsumer], most: int) -> Sequence[Step]:
    """Return the last steps of all sequences of up to ``most`` steps, which were compared with a package."""
    return [*_longer((), made, most)]


def _longer(begun: tuple[Sequence[Any], ...], made: type[PushConsumer], most: int) -> Iterator[Step]:
    for step in ALL:
        replay = _Replayed(made)
        for one in begun:
            replay.step(one)
        found = replay.step(step)
        if found is not None:
            yield found
        if len(begun) + 1 < most:
            yield from _longer((*begun, step), made, most)


class _Replayed:
    """A sequence of steps of the model."""

    def __init__(self, made: type[PushConsumer]) -> None:
        self.replay = Replay(made)
        self.stuck: set[Q] = set()
        self.late: set[str] = set()

    def _now(self) -> Loops:
        """Return the receive loops; a driver prints only the number of the others, and the model has their queues."""
        consumer = self.replay.consumer
        others: defaultdict[Q, int] = defaultdict(int)
        for entry in consumer.removed:
            others[entry.queue] += entry.loops
        return Loops({q: entry.loops for q, entry in consumer.process_queue_table.items()}, others)

    def step(self, taken: Sequence[Any]) -> Step | None:
        """Take a step, and return it; None if it has no effect or no claim is about it."""
        consumer, (kind, *more), before = self.replay.consumer, taken, self._now()
        topic = more[0] if more else ""
        running, subscribed = consumer.running, topic in consumer.subscription_expressions
        asked = topic in self.replay.asked
        stuck, late = frozenset(self.stuck), frozenset(self.late)
        self.replay.take(taken)
        after = self._now()
        if kind == "expire":
            self.stuck |= {(topic, more[1])} if before.table.get((topic, more[1])) else set()
            return None
        done = {"answer": asked, "fail": asked, "unsubscribe": running and subscribed, "shutdown": running}[kind]
        if not done or (not running and not consumer.answers_late):
            return None
        if kind == "answer" and not (running and subscribed):
            self.late.add(topic)
        queues = frozenset((topic, number) for number in more[1]) if kind == "answer" else frozenset[Q]()
        of_topic = {q: q[0] for q in {*queues, *before.table, *before.others, *after.table}}
        return Step(kind, topic, queues, before, after, of_topic, subscribed, running, stuck, late)
