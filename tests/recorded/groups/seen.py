"""Queries on recorded runs; every file is read once in a process, on first use."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeVar

from rebalance_proofs.recorded.groups.broker import Answered, Heard
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Ask, Begin, End, EntryGone, EntryNew, ShutdownBegin
from rebalance_proofs.recorded.groups.run import Run, all_shipped, of_kind, shipped

E = TypeVar("E", bound=Event)
LOCK, UNLOCK, PULL = "LOCK_BATCH_MQ", "UNLOCK_BATCH_MQ", "PULL_MESSAGE"


@dataclass(frozen=True)
class Call:
    """One call of a listener; without ``end`` if the process ended during it."""

    who: str
    q: str
    offsets: tuple[int, ...]
    begin: int
    end: int | None
    interrupted: bool

    def runs(self, at: int) -> bool:
        """Whether the call has begun and not returned at that time."""
        return self.begin < at and (self.end is None or self.end > at)


@dataclass(frozen=True)
class Both:
    """Two calls on one queue at the same time, by two consumers of a group."""

    first: Call
    second: Call

    @property
    def ms(self) -> int:
        assert self.first.end is not None
        assert self.second.end is not None
        return min(self.first.end, self.second.end) - self.second.begin


class Seen:
    """One recorded run."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._events: dict[str, list[Event]] = {}

    def of(self, kind: type[E], *names: str) -> list[E]:
        """Events of a kind, by time: of these processes, by default of all but the producer."""
        asked = names or tuple(name for name in self.run.files if name != "p")
        for name in asked:
            if name not in self._events:
                self._events[name] = list(self.run.events(name))
        found = [event for name in asked for event in of_kind(self._events[name], kind)]
        return sorted(found, key=lambda event: event.at)

    def one(self, kind: type[E], *names: str) -> E:
        """The only event of that kind."""
        (event,) = self.of(kind, *names)
        return event

    def group(self, who: str) -> str:
        return self.run.consumers[who].group

    def ordered(self) -> list[str]:
        """Names of the consumers with ordered listeners."""
        return [who for who, started in self.run.consumers.items() if started.mode == "ordered"]

    def version(self, who: str) -> str:
        """The consumer's release."""
        client = self.run.consumers[who].client
        return {"49": "4.9.8", "53": "5.3.3", None: "4.9.8"}[client]

    @cached_property
    def calls(self) -> list[Call]:
        """All calls of listeners, by their begin."""
        made = []
        for who in self.run.consumers:
            running: dict[tuple[str, int], Begin] = {}
            for event in self._of_two(Begin, End, who):
                if isinstance(event, Begin):
                    running[event.q, event.offsets[0]] = event
                elif begun := running.pop((event.q, event.from_), None):
                    made.append(Call(who, event.q, begun.offsets, begun.at, event.at, event.interrupted))
            made += [Call(who, begun.q, begun.offsets, begun.at, None, False) for begun in running.values()]
        return sorted(made, key=lambda call: call.begin)

    def _of_two(self, one: type[Begin], other: type[End], who: str) -> list[Begin | End]:
        both: list[Begin | End] = [*self.of(one, who), *self.of(other, who)]
        return sorted(both, key=lambda event: (event.at, event.n))

    def at_once(self, *groups: str) -> list[Both]:
        """Pairs of calls that returned, in which listeners of two consumers of a group ran on one queue at once."""
        of_queue = defaultdict(list)
        for call in self.calls:
            if call.end is not None and (not groups or self.group(call.who) in groups):
                of_queue[self.group(call.who), call.q].append(call)
        pairs = (
            (one, other)
            for calls in of_queue.values()
            for place, one in enumerate(calls)
            for other in calls[place + 1 :]
        )
        return [Both(one, other) for one, other in pairs if one.who != other.who and one.end > other.begin]

    def shutdown(self, who: str) -> int:
        return self.one(ShutdownBegin, who).at

    def heard(self, code: str, client_id: str) -> list[Heard]:
        """Requests of a client that arrived at the broker."""
        return [event for event in self.of(Heard, "b0") if event.code == code and event.said.client_id == client_id]

    @cached_property
    def _pulls(self) -> Mapping[tuple[str, str], list[Ask]]:
        found = defaultdict(list)
        for event in self.of(Ask, *self.run.consumers):
            if event.code == PULL:
                found[event.who, event.said.q].append(event)
        return found

    def pulls(self) -> Mapping[tuple[str, str], list[Ask]]:
        """Pull requests by consumer and queue (``topic:queueId``)."""
        return self._pulls

    def pulls_of(self, who: str, q: str) -> list[Ask]:
        return self._pulls[who, q]

    def entries(self) -> Iterator[tuple[EntryNew, int | None]]:
        """Every entry of a client's table, with the time at which it left it; None if it did not."""
        gone = {(event.who, event.entry, event.q): event.at for event in self.of(EntryGone, *self.run.consumers)}
        for event in self.of(EntryNew, *self.run.consumers):
            yield event, gone.get((event.who, event.entry, event.q))


def asked_of_broker(q: str) -> str:
    """A queue as requests name it: without the broker's name."""
    topic, _, rest = q.partition(":")
    return f"{topic}:{rest.rpartition(':')[2]}"


def refused(seen: Seen, code: int) -> list[tuple[Answered, Ask]]:
    """Pulls that the broker answered with that code, with the requests that they answer."""
    asked = defaultdict(list)
    for pulls in seen.pulls().values():
        for ask in pulls:
            asked[ask.opaque, ask.said.q, ask.said.sub_version, seen.group(ask.who)].append(ask)
    found = []
    for event in seen.of(Answered, "b0"):
        if event.code == PULL and event.said.code == code:
            key = (event.opaque, event.asked.q, event.asked.sub_version, event.asked.consumer_group)
            (ask,) = (ask for ask in asked[key] if abs(ask.at - event.at) < 5000)
            found.append((event, ask))
    return found


def following(events: Iterable[E], at: int) -> E | None:
    """The first event after that time; None without one."""
    by_time = list(events)
    place = bisect_right([event.at for event in by_time], at)
    return by_time[place] if place < len(by_time) else None


@cache
def recorded_run(scenario: str) -> Seen:
    """Recorded run by name: ``recorded_run("java-5.3.3/relock")``."""
    version, _, name = scenario.partition("/")
    return Seen(shipped(version, name))


YOUNGER = {
    "java-4.9.8/freeze",
    "java-4.9.8/reset",
    "java-5.3.3/mixed_late",
    "java-5.3.3/mixed_ordered",
    "java-5.3.3/reset",
    "java-4.9.0/broker_killed",
    "java-4.9.4/broker_killed",
    "java-4.9.7/broker_killed",
    "java-4.9.7/last",
    "java-4.9.7/last_killed",
    "java-4.9.7/last_taken",
    "java-4.9.8/lost_locks",
    "java-4.9.8/lost_requests",
    "java-4.9.8/premises",
    "java-5.1.4/broker_killed",
    "java-5.2.0/broker_killed",
    "java-5.3.3/collected",
    "java-5.3.3/half_open",
    "java-5.3.3/locks",
    "java-5.3.3/lost_pulls",
    "java-5.3.3/lost_requests",
    "java-5.3.3/premises",
    "java-5.3.3/repairs",
    "java-5.3.3/shutdowns",
    "java-5.3.3/thrown",
    "java-5.4.0/broker_killed",
}
"""Those of ``rebalance record``, whose processes tell their releases themselves: ``conform --cluster`` holds them."""
SCENARIOS = sorted(all_shipped().keys() - YOUNGER)
