"""The events of one run, arranged for questions: calls of listeners, entries of tables, messages, ends of processes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TypeVar

from rebalance_proofs.recorded.groups.broker import BrokerStarted, Table
from rebalance_proofs.recorded.groups.driver import BrokerEnded, Calm, Delay, NotCalm, Signal, StartConsumer
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Gap, PatchFailed, Quitting, ShutdownBegin, Started
from rebalance_proofs.recorded.groups.process import Cannot, Release
from rebalance_proofs.recorded.groups.producer import Sent
from rebalance_proofs.recorded.groups.run import Run, of_kind
from rebalance_proofs.recorded.seen.calls import Call, calls_of
from rebalance_proofs.recorded.seen.held import Held, held_of
from rebalance_proofs.recorded.seen.times import Times

E = TypeVar("E", bound=Event)
STORED = "SEND_OK"
DRIVER = "driver"


class History:
    """One run. Times are in milliseconds since its start."""

    def __init__(self, run: Run) -> None:
        """Raises ``RecordingError`` for a file that cannot be read."""
        self.run = run
        self._of: defaultdict[str, list[Event]] = defaultdict(list)
        self._kinds: dict[tuple[type[Event], tuple[str, ...]], list[Event]] = {}
        for event in run.events():
            self._of[event.who].append(event)
        self.end = max((events[-1].at for events in self._of.values()), default=0)
        """When the last event was."""

    def of(self, kind: type[E], *names: str) -> list[E]:
        """The events of a kind, by time: of these processes, or of all."""
        found = [event for name in names or tuple(self._of) for event in of_kind(self._of[name], kind)]
        return sorted(found, key=lambda event: event.at)

    @cached_property
    def started(self) -> Mapping[str, StartConsumer]:
        """Member -> how it was set up."""
        return {each.of: each for each in self.of(StartConsumer, DRIVER)}

    @cached_property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Group -> its members."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for who, each in self.started.items():
            found[each.group].append(who)
        return {group: tuple(members) for group, members in found.items()}

    def ordered(self, group: str) -> bool:
        """Whether the group's listeners are ordered."""
        return self.started[self.groups[group][0]].mode == "ordered"

    def release(self, who: str) -> tuple[int, ...]:
        """The release of RocketMQ that a process runs, as numbers; empty if the recording does not tell it."""
        told = self.of(Release, who)
        numbers = told[-1].number if told else self._folder_release
        return tuple(int(part) for part in numbers.split(".") if part.isdecimal())

    @cached_property
    def _folder_release(self) -> str:
        """Recordings without such events lie in a folder that has the release in its name."""
        return self.run.folder.parent.name.removeprefix("java-")

    @cached_property
    def cannot(self) -> tuple[tuple[str, tuple[str, ...], str], ...]:
        """Process, events that its release does not let be taken, and why."""
        told = [(each.who, each.what, each.why) for each in self.of(Cannot)]
        return (*told, *((each.who, ("pulled",), each.error) for each in self.of(PatchFailed)))

    @cached_property
    def joined(self) -> Mapping[str, int]:
        """Member -> when its start() had returned; those for which it did not are missing."""
        return {each.who: each.at for each in reversed(self.of(Started))}

    @cached_property
    def left(self) -> Mapping[str, int]:
        """Member -> when it was shut down or its process ended; those that were there to the end are missing."""
        found: dict[str, int] = {}
        for at, who in self._ends():
            found[who] = min(at, found.get(who, at))
        return found

    @cached_property
    def ended(self) -> Mapping[str, int]:
        """Member -> when its process ended."""
        found: dict[str, int] = {}
        for at, who in [*((each.at, each.who) for each in self.of(Quitting)), *self.killed.items_by_time()]:
            found[who] = min(at, found.get(who, at))
        return found

    @cached_property
    def killed(self) -> Times:
        """When members' processes were killed."""
        return Times((each.of, each.at) for each in self._signals("SIGKILL") if each.of in self.started)

    @cached_property
    def shut_down(self) -> Times:
        """When members' shutdown() began."""
        return Times((each.who, each.at) for each in self.of(ShutdownBegin))

    def _ends(self) -> Iterable[tuple[int, str]]:
        yield from self.killed.items_by_time()
        yield from self.shut_down.items_by_time()
        yield from ((each.at, each.who) for each in self.of(Quitting))

    def _signals(self, *names: str) -> list[Signal]:
        return [each for each in self.of(Signal, DRIVER) if each.signal in names]

    @cached_property
    def stopped(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """Member -> when its process stood still, since it was stopped or since the machine did not let it run."""
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        since: dict[str, int] = {}
        for each in self._signals("SIGSTOP", "SIGCONT"):
            if each.signal == "SIGSTOP":
                since[each.of] = each.at
            elif each.of in since:
                found[each.of].append((since.pop(each.of), each.at))
        for who, at in since.items():
            found[who].append((at, self.end))
        return {who: tuple(times) for who, times in found.items()}

    @cached_property
    def gaps(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """Process -> when it stood still, by its own account."""
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for each in self.of(Gap):
            found[each.who].append((each.at - each.ms, each.at))
        return {who: tuple(times) for who, times in found.items()}

    @cached_property
    def down(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """Broker -> from when to when it did not serve."""
        found = {}
        for broker in self.run.brokers:
            begun = [each.at for each in self.of(BrokerStarted, broker)]
            times = []
            for each in self._broker_ends(broker):
                after = [at for at in begun if at > each]
                times.append((each, after[0] if after else self.end))
            found[broker] = tuple(times)
        return found

    def _broker_ends(self, broker: str) -> list[int]:
        told = [each.at for each in self._signals("SIGTERM", "SIGKILL") if each.of == broker]
        return told or [each.at for each in self.of(BrokerEnded, DRIVER) if each.of == broker]

    @cached_property
    def delays(self) -> tuple[tuple[int, int], ...]:
        """From when to when something was delayed on its way to or from a broker, and its answer."""
        found, before = [], None
        for each in self.of(Delay, DRIVER):
            if before and before.ms:
                found.append((before.at, each.at + 2 * before.ms))
            before = each
        return (*found, *([(before.at, self.end)] if before and before.ms else []))

    @cached_property
    def sent(self) -> Mapping[str, Sent]:
        """Key -> the message, of those that are stored."""
        return {each.key: each for each in self.of(Sent) if each.status == STORED}

    @cached_property
    def calm(self) -> bool:
        """Whether it was recorded until everything was calm."""
        return bool(self.of(Calm, DRIVER))

    def _over(self, who: str) -> int:
        return self.ended.get(who, self.end)

    @cached_property
    def waited(self) -> bool:
        """Whether it was recorded until it was calm, or until nothing had moved for long."""
        return self.calm or bool(self.of(NotCalm, DRIVER))

    @cached_property
    def calls(self) -> Mapping[str, tuple[Call, ...]]:
        """Group -> the calls of its listeners, by time."""
        return {
            group: tuple(
                sorted(
                    (call for who in members for call in calls_of(self._of[who], self._over(who))),
                    key=lambda call: call.begin,
                )
            )
            for group, members in self.groups.items()
        }

    @cached_property
    def held(self) -> Mapping[str, tuple[Held, ...]]:
        """Group -> the entries of its members, by time."""
        return {
            group: tuple(
                sorted(
                    (held for who in members for held in held_of(self._of[who], self._over(who))),
                    key=lambda held: held.begin,
                )
            )
            for group, members in self.groups.items()
        }

    def holds(self, group: str, who: str, q: str, at: int) -> Held | None:
        """The last entry of the queue that a member had made by then."""
        found = [held for held in self._by_owner[group].get((who, q), ()) if held.begin <= at]
        return found[-1] if found else None

    @cached_property
    def _by_owner(self) -> Mapping[str, Mapping[tuple[str, str], tuple[Held, ...]]]:
        arranged: dict[str, dict[tuple[str, str], tuple[Held, ...]]] = {}
        for group, entries in self.held.items():
            mine = arranged.setdefault(group, {})
            for held in entries:
                mine[held.who, held.q] = (*mine.get((held.who, held.q), ()), held)
        return arranged

    def tags(self, group: str, topic: str) -> Mapping[str, frozenset[str]]:
        """Member -> the tags that it asks for; those that do not subscribe to the topic are missing."""
        found = {}
        for who in self.groups[group]:
            for each in self.started[who].sub.split(","):
                name, _, tags = each.partition(":")
                if name == topic:
                    found[who] = frozenset(tags.split("||") if tags else "*")
        return found

    def wanted(self, group: str, topic: str) -> frozenset[str]:
        """The tags of the topic that some member of the group asks for; * for all, none if nobody subscribes to it."""
        return frozenset().union(*self.tags(group, topic).values())

    def committed(self, group: str, q: str) -> int | None:
        """The offset that was committed at the end."""
        return self._committed.get((group, q))

    @cached_property
    def _committed(self) -> Mapping[tuple[str, str], int]:
        found = {}
        for row in self.of(Table, *self.run.brokers):
            if row.what == "offset" and row.is_ is not None:
                group, q = offset_of(row)
                found[group, q] = int(row.is_)
        return found


def offset_of(row: Table) -> tuple[str, str]:
    """Group and queue of a row of committed offsets, whose key is ``topic@group:queueId``."""
    topic, _, rest = row.of.partition("@")
    group, _, number = rest.rpartition(":")
    return group, f"{topic}:{row.who}:{number}"
