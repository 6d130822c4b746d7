"""One recorded run as the machines read it: all events of each process, who is who, and when somebody stood still."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from rebalance_proofs.model.machine.client import MachineClient
from rebalance_proofs.recorded.cluster.clients import java_release
from rebalance_proofs.recorded.cluster.names import whole_names
from rebalance_proofs.recorded.groups import file
from rebalance_proofs.recorded.groups.beyond import Beyond
from rebalance_proofs.recorded.groups.broker import BrokerStarted, BrokerStarting
from rebalance_proofs.recorded.groups.driver import BrokerEnded, Delay, Ended, RunEnd, Signal, StartConsumer
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.label import meant
from rebalance_proofs.recorded.groups.member import Gap, Starting
from rebalance_proofs.recorded.groups.process import Release
from rebalance_proofs.recorded.groups.producer import ProducerStarted, Queues, RouteFailed, SendFailed, Sent, Topic
from rebalance_proofs.recorded.groups.run import DRIVER, Run, of_kind

__all__ = ["LOOK", "STALL", "Trace"]

LOOK = 50
"""Milliseconds between two looks at a client's marks or a broker's tables."""
STALL = 2_000
"""A thread may stand still for so long without that its process says so: clients say ``gap`` from a second on, by the
one thread that looks, and others can stand longer; brokers say nothing."""
ENDING = 30_000
"""A broker that was told to end has ended within so long, in ms."""
PRODUCING = (ProducerStarted, Topic, Queues, RouteFailed, Sent, SendFailed)
"""What only producers write."""
E = TypeVar("E", bound=Event)


@dataclass(frozen=True)
class Trace:
    """The events of one run. All files are read at once."""

    run: Run
    version: str
    """The release of clients whose start names none."""
    beyond: Beyond
    of: Mapping[str, list[Event]]
    """Process's name -> its events, by time."""
    encodings: Mapping[str, Callable[[MachineClient], Any]] = field(default_factory=dict)
    """Machine -> which encoding of a client's actions is tried in the place of its own; None for its own."""

    @classmethod
    def read(cls, run: Run, version: str) -> "Trace":
        """Read all files; what the format does not have is left out. Raises ``RecordingError`` for one that cannot be
        read."""
        run, beyond = replace(run, lenient=True), Beyond()
        found = {who: file.events(path, who, run.start, beyond) for who, path in run.files.items()}
        return cls(run, version, beyond, whole_names(found))

    def encoding(self, machine: str, client: MachineClient) -> Any:
        """The encoding that is tried in the place of a client's own; None for none."""
        return self.encodings[machine](client) if machine in self.encodings else None

    @cached_property
    def consumers(self) -> Mapping[str, StartConsumer]:
        """Consumer's name -> how it was started; only of those that wrote something."""
        started = of_kind(self.of[DRIVER], StartConsumer)
        return {each.of: each for each in started if each.of in self.of}

    @cached_property
    def brokers(self) -> tuple[str, ...]:
        """The names of brokers, by what they wrote."""
        known = (who for who, events in self.of.items() if any(isinstance(each, BrokerStarting) for each in events))
        return tuple(sorted(known))

    @cached_property
    def producers(self) -> tuple[str, ...]:
        """The names of producers, by what they wrote; ``p`` by custom."""
        known = (who for who, events in self.of.items() if any(isinstance(event, PRODUCING) for event in events))
        return tuple(sorted(known))

    def produced(self, kind: type[E]) -> list[E]:
        """The events of a kind of all producers, by time."""
        return sorted((event for who in self.producers for event in self.kind(kind, who)), key=lambda event: event.at)

    def release(self, who: str) -> str:
        """The release of a consumer: what it says itself, or its start, or that of the whole run.

        Raises ``UnknownRelease``.
        """
        if told := self.kind(Release, who):
            return java_release(told[0].number)
        starts = self.consumers
        return java_release(meant(starts[who].client, {one.client for one in starts.values()}, self.version))

    def ordered(self, who: str) -> bool:
        """Whether a consumer has an ordered listener."""
        return self.consumers[who].mode == "ordered"

    def kind(self, kind: type[E], who: str) -> list[E]:
        """The events of a kind of one process, by time."""
        return of_kind(self.of.get(who, []), kind)

    @cached_property
    def end(self) -> int:
        """When all processes were killed, or the last event."""
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
        """When processes of that name ended, or were killed, before the run's end."""
        return self._ends.get(who, [])

    def ended(self, who: str, since: int) -> int | None:
        """When, from then on, the first process of that name ended, or was killed; None if none did."""
        return next((at for at in self.killed(who) if at >= since), None)

    def ending(self, who: str, at: int) -> bool:
        """Whether a process of that name was told to end shortly before."""
        return self.told_to_end(who, at) is not None

    def told_to_end(self, who: str, at: int) -> int | None:
        """When a process of that name was told to end, if it was shortly before that time."""
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
        return found

    def stood(self, who: str, since: int, until: int) -> int:
        """For how many ms the process is known to have stood still between these times."""
        spans = sorted((max(since, a), min(until, b)) for a, b in self._stopped.get(who, []) if b > since and a < until)
        total, last = 0, since
        for begin, end in spans:
            total += max(0, end - max(begin, last))
            last = max(last, end)
        return total

    def away(self, who: str) -> Iterator[tuple[int, int]]:
        """From each end of a broker on, until a process of its name had started; or the run's end."""
        started = [event.at for event in self.kind(BrokerStarted, who)]
        for at in self.killed(who):
            yield at, min((one for one in started if one > at), default=self.end)

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
        return found

    def delayed(self, broker: str, since: int, until: int) -> bool:
        """Whether the driver let come later what that broker and its clients sent each other between these times.

        Each connection keeps its order: what is sent when that is over still waits for what was sent before.
        """
        return any(begin <= until and since <= end for begin, end in self._delays.get(broker, ()))

    def slack(self, who: str, since: int, until: int) -> int:
        """How much later than its time something can come in a process: ``STALL``, and as long as it stood still."""
        return STALL + self.stood(who, since - STALL, until)

    def lives(self, who: str) -> Iterator[list[Event]]:
        """The events of each process of that name: a new one begins with ``starting`` or ``broker-starting``."""
        begun: list[Event] = []
        for event in self.of.get(who, []):
            if isinstance(event, (Starting, BrokerStarting)) and begun:
                yield begun
                begun = []
            begun.append(event)
        if begun:
            yield begun

    def alive(self, who: str, since: int, until: int) -> bool:
        """Whether no process of that name was known to end between these times."""
        ends = self.killed(who)
        place = bisect_left(ends, since)
        return (place == len(ends) or ends[place] > until) and until <= self.end
