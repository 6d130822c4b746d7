"""Events of one recorded run by type, and facts about the run as a whole."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar, cast

from rebalance_proofs.recorded.groups.driver import Calm, NotCalm, StartConsumer
from rebalance_proofs.recorded.groups.event import Cannot, Event, Release, Sent
from rebalance_proofs.recorded.groups.member import PatchFailed
from rebalance_proofs.recorded.groups.names import meant, numbers
from rebalance_proofs.recorded.groups.run import DRIVER, Run, of_kind, require_complete

E = TypeVar("E", bound=Event)
STORED = "SEND_OK"


class Events:
    """All events of one run; times are in milliseconds since the run's start."""

    def __init__(self, run: Run) -> None:
        """Read all files. Raises ``RecordingError`` for a file that cannot be read, or for a process without events."""
        self.run = run
        self._of: defaultdict[str, list[Event]] = defaultdict(list)
        self._kinds: dict[tuple[type[Event], tuple[str, ...]], Sequence[Event]] = {}
        for event in run.events():
            self._of[event.who].append(event)
        require_complete(run.folder, self._of)
        self.end = max((events[-1].at for events in self._of.values()), default=0)
        """Time of the last event in ms."""

    def of(self, kind: type[E], *names: str) -> Sequence[E]:
        """Return the events of a type, sorted by time.

        ``names``: processes whose events are returned; by default all.
        """
        if (kind, names) not in self._kinds:
            found = [event for name in names or tuple(self._of) for event in of_kind(self._of[name], kind)]
            self._kinds[kind, names] = sorted(found, key=lambda event: event.at)
        return cast(Sequence[E], self._kinds[kind, names])

    @cached_property
    def started(self) -> Mapping[str, StartConsumer]:
        """Consumer name -> event of its start, with its configuration."""
        return {each.of: each for each in self.of(StartConsumer, DRIVER)}

    @cached_property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Group -> names of its consumers."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for who, each in self.started.items():
            found[each.group].append(who)
        return {group: tuple(members) for group, members in found.items()}

    def ordered(self, group: str) -> bool:
        """Return True if the group's listeners are ordered."""
        return self.started[self.groups[group][0]].mode == "ordered"

    def release(self, who: str) -> tuple[int, ...]:
        """Return the RocketMQ release of a process as numbers; empty if it is not known."""
        told = self.of(Release, who)
        started = self.started.get(who)
        labels = {one.client for one in self.started.values()}
        number = told[-1].number if told else meant(started.client if started else None, labels, self._folder_release)
        return numbers(number)

    def version(self, who: str) -> str:
        """Return the RocketMQ release of a process as text, such as ``5.3.3``."""
        return ".".join(map(str, self.release(who)))

    @cached_property
    def _folder_release(self) -> str:
        """Release in the recording's folder name, for recordings whose events do not name one."""
        return self.run.folder.parent.name.removeprefix("java-")

    @cached_property
    def cannot(self) -> tuple[tuple[str, tuple[str, ...], str], ...]:
        """Events that a release cannot record, as (process, names of events, reason)."""
        told = [(each.who, each.what, each.why) for each in self.of(Cannot)]
        return (*told, *((each.who, ("pulled",), each.error) for each in self.of(PatchFailed)))

    @cached_property
    def sent(self) -> Mapping[str, Sent]:
        """Key of a message -> event of its successful send."""
        return {each.key: each for each in self.of(Sent) if each.status == STORED}

    @cached_property
    def calm(self) -> bool:
        """True if at the end of the recording all messages were consumed and no listener ran."""
        return bool(self.of(Calm, DRIVER))

    @cached_property
    def waited(self) -> bool:
        """True if the recording ends calm, or after nothing had changed for long.

        Calm means that all messages were consumed and no listener ran.
        """
        return self.calm or bool(self.of(NotCalm, DRIVER))


# Times of events, by process.


class Times(dict[str, tuple[int, ...]]):
    """Sorted times in ms of one kind of event, for each process."""

    def __init__(self, found: Iterable[tuple[str, int]]) -> None:
        made: defaultdict[str, list[int]] = defaultdict(list)
        for who, at in found:
            made[who].append(at)
        super().__init__({who: tuple(sorted(times)) for who, times in made.items()})

    def before(self, who: str, at: int) -> int | None:
        """Return the last time of a process at or before ``at``, or None."""
        times = self.get(who, ())
        place = bisect_right(times, at)
        return times[place - 1] if place else None

    def items_by_time(self) -> Iterable[tuple[int, str]]:
        """Return all times as (time in ms, process), sorted by time."""
        return sorted((at, who) for who, times in self.items() for at in times)
