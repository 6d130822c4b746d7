"""A recorded run in memory: each process's events, what the process is, and its pauses."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise, takewhile
from typing import Any, TypeVar

from rebalance_proofs.model.machine.client import MachineClient
from rebalance_proofs.model.releases import Resolved, UnknownRelease
from rebalance_proofs.recorded.cluster.clients import java_recorded
from rebalance_proofs.recorded.cluster.names import whole_names
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarted, BrokerStarting, Heard
from rebalance_proofs.recorded.groups.driver import BrokerEnded, Delay, Ended, Partition, RunEnd, Signal, StartConsumer
from rebalance_proofs.recorded.groups.event import (
    Cannot,
    Event,
    ProducerStarted,
    Queues,
    Release,
    Request,
    RouteFailed,
    SendFailed,
    Sent,
    Topic,
)
from rebalance_proofs.recorded.groups.member import Ask, Gap, Starting
from rebalance_proofs.recorded.groups.names import Beyond, meant
from rebalance_proofs.recorded.groups.run import DRIVER, Run, of_kind, read_events, require_complete

LOOK = 50
"""Milliseconds between two polls of a client's process queues, or of a broker's tables."""
STALL = 2_000
"""Longest pause of a thread in ms that leaves no ``gap`` event.

One thread of each client records pauses of at least a second. Other threads can pause longer, and brokers record no
pauses.
"""
ENDING = 30_000
"""Longest time in ms from the signal that ends a broker until the broker's end."""
PRODUCING = (ProducerStarted, Topic, Queues, RouteFailed, Sent, SendFailed)
"""Types of events that only producers write; they show which processes are producers."""
E = TypeVar("E", bound=Event)


def _key(code: str, opaque: int, said: Request) -> tuple[object, ...]:
    return code, opaque, said.client_id, said.q, said.consumer_group, said.commit_offset


@dataclass(frozen=True)
class Trace:
    """The events of one run, with all files read into memory."""

    run: Run
    version: str
    """Release of clients whose start event does not name one."""
    beyond: Beyond
    of: Mapping[str, list[Event]]
    """Process name -> its events, sorted by time."""
    encodings: Mapping[str, Callable[[MachineClient], Any]] = field(default_factory=dict)
    """Machine -> function that replaces the model's actions for a client, as in mutation tests.

    The function returns None to keep the actions.
    """

    @classmethod
    def read(cls, run: Run, version: str) -> "Trace":
        """Read all files of a run; events that the format does not define are skipped.

        ``version``: the release of clients whose start event does not name one. Raises ``RecordingError`` for a file
        that cannot be read, or for a process without events.
        """
        run, beyond = replace(run, lenient=True), Beyond()
        found = {who: read_events(path, who, run.span, beyond) for who, path in run.files.items()}
        require_complete(run.folder, found)
        return cls(run, version, beyond, whole_names(found))

    def encoding(self, machine: str, client: MachineClient) -> Any:
        """Return the actions that replace those of the model's client, or None to keep them."""
        return self.encodings[machine](client) if machine in self.encodings else None

    @cached_property
    def consumers(self) -> Mapping[str, StartConsumer]:
        """Consumer name -> event of its start; consumers that wrote no events are left out."""
        started = of_kind(self.of[DRIVER], StartConsumer)
        return {each.of: each for each in started if each.of in self.of}

    @cached_property
    def brokers(self) -> tuple[str, ...]:
        """Sorted names of brokers, recognised by their events."""
        known = (who for who, events in self.of.items() if any(isinstance(each, BrokerStarting) for each in events))
        return tuple(sorted(known))

    @cached_property
    def producers(self) -> tuple[str, ...]:
        """Sorted names of producers, recognised by their events; usually just ``p``."""
        known = (who for who, events in self.of.items() if any(isinstance(event, PRODUCING) for event in events))
        return tuple(sorted(known))

    def produced(self, kind: type[E]) -> list[E]:
        """Return the events of type ``kind`` that all producers wrote, sorted by time."""
        return sorted((event for who in self.producers for event in self.kind(kind, who)), key=lambda event: event.at)

    def release(self, who: str) -> str:
        """Return a consumer's release, as it reports itself.

        Without a report, the release comes from the consumer's start event, else from the run. Raises
        ``UnknownRelease``.
        """
        return self._resolved(who).release

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on the consumers' versions that other releases represent, without duplicates."""
        notes = []
        for who in self.consumers:
            with suppress(UnknownRelease):
                notes.append(self._resolved(who).note)
        return tuple(dict.fromkeys(note for note in notes if note))

    def _resolved(self, who: str) -> Resolved:
        if told := self.kind(Release, who):
            return java_recorded(told[0].number)
        starts = self.consumers
        return java_recorded(meant(starts[who].client, {one.client for one in starts.values()}, self.version))

    def ordered(self, who: str) -> bool:
        """Return True if a consumer has an ordered listener."""
        return self.consumers[who].mode == "ordered"

    def topics(self, who: str) -> int:
        """Return the number of topics that a consumer divides from its start, with the retry topic."""
        return len(self.consumers[who].sub.split(",")) + 1

    def kind(self, kind: type[E], who: str) -> list[E]:
        """Return the events of type ``kind`` that one process wrote, sorted by time."""
        return of_kind(self.of.get(who, []), kind)

    @cached_property
    def end(self) -> int:
        """Time in ms at which all processes were killed.

        Without such an event, time of the last event.
        """
        ends = of_kind(self.of[DRIVER], RunEnd)
        return ends[-1].at if ends else max(events[-1].at for events in self.of.values() if events)

    @cached_property
    def _ends(self) -> Mapping[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for event in self.of[DRIVER]:
            if isinstance(event, (Ended, BrokerEnded)) or (isinstance(event, Signal) and event.signal == "SIGKILL"):
                found[event.of].append(event.at)
        return found

    def killed(self, who: str) -> list[int]:
        """Return the times in ms at which processes with the name ``who`` ended or were killed."""
        return self._ends.get(who, [])

    def ended(self, who: str, since: int) -> int | None:
        """Return the first end in ms of a process named ``who`` at or after ``since``, or None."""
        return next((at for at in self.killed(who) if at >= since), None)

    def ending(self, who: str, at: int) -> bool:
        """Return True if a process with the name ``who`` was signalled to end shortly before ``at``."""
        return self.told_to_end(who, at) is not None

    def told_to_end(self, who: str, at: int) -> int | None:
        """Return the time in ms of the last signal to end a process with the name ``who``.

        Return None if the signal was not shortly before ``at``.
        """
        signals = (event for event in of_kind(self.of[DRIVER], Signal) if event.of == who)
        ends = (event.at for event in signals if event.signal in ("SIGTERM", "SIGKILL"))
        return next((told for told in ends if 0 <= at - told < ENDING), None)

    @cached_property
    def _stopped(self) -> Mapping[str, list[tuple[int, int]]]:
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for event in self.of[DRIVER]:
            if isinstance(event, Signal) and event.signal == "SIGSTOP":
                found[event.of].append((event.at, self.end))
            elif isinstance(event, Signal) and event.signal == "SIGCONT" and found[event.of]:
                found[event.of][-1] = (found[event.of][-1][0], event.at)
        for who, events in self.of.items():
            for gap in of_kind(events, Gap):
                found[who].append((gap.at - gap.ms, gap.at))
        for broker, spans in self.frozen.items():
            found[broker].extend(spans)
        return found

    @cached_property
    def frozen(self) -> Mapping[str, list[tuple[int, int]]]:
        """Broker -> pauses that its lines show, as (begin, end) in ms; brokers record no pauses themselves.

        A broker without lines for more than ``STALL`` has paused if it afterwards handles requests that were sent in
        this time. A single late request proves nothing: it can have been delayed alone.
        """
        asked: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
        for who in self.consumers:
            for ask in self.kind(Ask, who):
                asked[_key(ask.code, ask.opaque, ask.said)].append(ask.at)
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for broker in self.brokers:
            lines = self.of[broker]
            for place, (before, after) in enumerate(pairwise(lines), start=1):
                since, until = before.at, after.at
                # A new process handles requests that wait before it writes its first lines.
                fresh = isinstance(before, (BrokerStarting, BrokerStarted, Release))
                if until - since <= STALL or fresh or isinstance(after, BrokerStarting):
                    continue
                late: set[tuple[object, ...]] = set()
                for event in takewhile(lambda one: one.at <= until + STALL, lines[place:]):  # noqa: B023
                    if not isinstance(event, Heard | Answered):
                        continue
                    key = _key(event.code, event.opaque, event.said if isinstance(event, Heard) else event.asked)
                    sent = max((at for at in asked.get(key, ()) if at <= event.at), default=until)
                    if since < sent < until - STALL // 2:
                        late.add(key)
                if len(late) > 1:
                    found[broker].append((since, until))
        return found

    def stood(self, who: str, since: int, until: int) -> int:
        """Return for how many ms a process is known to have paused between two times."""
        spans = sorted((max(since, a), min(until, b)) for a, b in self._stopped.get(who, []) if b > since and a < until)
        total, last = 0, since
        for begin, end in spans:
            total += max(0, end - max(begin, last))
            last = max(last, end)
        return total

    def away(self, who: str) -> Iterator[tuple[int, int]]:
        """Yield the times without the broker ``who``, in ms.

        Each item is (its end, its next start or the run's end). A broker that was signalled to end counts as away from
        then on: it closes its connections, and accepts new ones for seconds without an answer.
        """
        started = [event.at for event in self.kind(BrokerStarted, who)]
        for at in self.killed(who):
            yield self.told_to_end(who, at) or at, min((one for one in started if one > at), default=self.end)

    @cached_property
    def _unheard(self) -> list[tuple[int, int]]:
        """Return when brokers served requests without recording them, as intervals in ms.

        A restarted broker can serve requests before the recorder sees the first one.
        """
        found = []
        for broker in self.brokers:
            for life in [*self.lives(broker)][1:]:
                first = next((event.at for event in life if isinstance(event, Heard | Answered)), self.end)
                found.append((life[0].at, first))
        return found

    def unheard(self, since: int, until: int) -> bool:
        """Return True if a restarted broker may have served a request between two times without an event."""
        return any(begin <= until and since <= end for begin, end in self._unheard)

    @cached_property
    def _delays(self) -> Mapping[str, list[tuple[int, int]]]:
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        last: dict[str, Delay] = {}
        for event in of_kind(self.of[DRIVER], Delay):
            if (before := last.get(event.of)) and before.ms:
                found[event.of].append((before.at, event.at + before.ms))
            last[event.of] = event
        for of, event in last.items():
            if event.ms:
                found[of].append((event.at, self.end))
        since: dict[str, int] = {}
        for held in of_kind(self.of[DRIVER], Partition):
            if held.held:
                since[held.of] = held.at
            else:
                found[held.of].append((since.pop(held.of, held.at), held.at + STALL))
        for of, begin in since.items():
            found[of].append((begin, self.end))
        return found

    def delayed(self, broker: str, since: int, until: int) -> bool:
        """Return True if the driver delayed a broker's network traffic between two times.

        Each connection keeps its order, so later messages still wait for delayed ones.
        """
        return any(begin <= until and since <= end for begin, end in self._delays.get(broker, ()))

    def slack(self, who: str, since: int, until: int) -> int:
        """Return how many ms late a process's event can be between two times.

        It is ``STALL`` plus the known pauses of the process.
        """
        return STALL + self.stood(who, since - STALL, until)

    def lives(self, who: str) -> Iterator[list[Event]]:
        """Yield the events of each process that had the name ``who``, one list per process.

        A name is used again after a restart. A consumer begins with ``release`` and ``starting``, a broker with
        ``broker-starting`` and ``release``; older recordings have no ``release``.
        """
        begun: list[Event] = []
        for event in self.of.get(who, []):
            first = isinstance(event, (Release, Starting, BrokerStarting))
            if first and begun and not _goes_on(begun, event):
                yield begun
                begun = []
            begun.append(event)
        if begun:
            yield begun

    def alive(self, who: str, since: int, until: int) -> bool:
        """Return True if one process with the name ``who`` ran from ``since`` to ``until``, as far as known.

        A process that has ended, and another one that has its name or its client id later, are two.
        """
        begun = self._begins.get(who, [])
        place = bisect_right(begun, since)
        if not place or until > self.end:
            return False
        return not any(begun[place - 1] <= at <= until for at in self.killed(who))

    @cached_property
    def _begins(self) -> Mapping[str, list[int]]:
        return {who: [life[0].at for life in self.lives(who)] for who in self.of}


def _goes_on(begun: Sequence[Event], event: Event) -> bool:
    """Return True if an event belongs to the beginning of the process that has written ``begun``."""
    only = all(isinstance(one, (Release, Cannot, BrokerStarting)) for one in begun)
    return only and all(type(one) is not type(event) for one in begun)
