"""One recorded run: a folder with one file per process name."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import merge
from pathlib import Path
from typing import TypeVar

from rebalance_proofs.recorded.groups import file
from rebalance_proofs.recorded.groups.beyond import Beyond
from rebalance_proofs.recorded.groups.driver import StartBroker, StartConsumer
from rebalance_proofs.recorded.groups.error import RecordingError
from rebalance_proofs.recorded.groups.event import Event

DRIVER = "driver"
SUFFIXES = (".jsonl.gz", ".jsonl")
E = TypeVar("E", bound=Event)


def is_recording(folder: Path) -> bool:
    """Return True if the folder contains a recording, that is, a file of the driver."""
    return any((folder / f"{DRIVER}{suffix}").is_file() for suffix in SUFFIXES)


@dataclass(frozen=True)
class Run:
    """The recording of one run; files are read on demand and not cached."""

    folder: Path
    lenient: bool = False
    """True if parts that the format does not define are skipped, False if they are errors."""

    def _beyond(self) -> Beyond | None:
        return Beyond() if self.lenient else None

    @cached_property
    def files(self) -> Mapping[str, Path]:
        """Process name -> its file.

        Raises ``RecordingError`` if the driver has no file, or if a process has two files.
        """
        found: dict[str, Path] = {}
        try:
            paths = sorted(self.folder.iterdir())
        except OSError as error:
            raise RecordingError(f"cannot read a recording from {self.folder}: {error.strerror}") from error
        for path in paths:
            who = next((path.name.removesuffix(suffix) for suffix in SUFFIXES if path.name.endswith(suffix)), "")
            if who in found:
                raise RecordingError(f"{self.folder} contains {who}.jsonl both plain and gzipped; keep one of them")
            if who:
                found[who] = path
        if DRIVER not in found:
            raise RecordingError(
                f"{self.folder} is not a recording: it contains neither driver.jsonl nor driver.jsonl.gz"
            )
        return found

    @cached_property
    def start(self) -> int:
        """Time of the driver's first event in milliseconds since 1970. Raises ``RecordingError``."""
        stamps = [line.epoch for line in file.lines(self.files[DRIVER], DRIVER, self._beyond())]
        if not stamps:
            raise RecordingError(f"{self.files[DRIVER]} contains no event")
        return min(stamps)

    @cached_property
    def consumers(self) -> Mapping[str, StartConsumer]:
        """Consumer name -> event of its start. Raises ``RecordingError``."""
        return {each.of: each for each in of_kind(self.events(DRIVER), StartConsumer)}

    @cached_property
    def brokers(self) -> tuple[str, ...]:
        """Sorted names of brokers. Raises ``RecordingError``."""
        return tuple(sorted({each.of for each in of_kind(self.events(DRIVER), StartBroker)}))

    def members(self, group: str) -> tuple[str, ...]:
        """Return the names of a group's consumers in order of their starts.

        Raises ``RecordingError``.
        """
        return tuple(who for who, started in self.consumers.items() if started.group == group)

    def events(self, *names: str) -> Iterator[Event]:
        """Yield the events of the named processes, or of all processes, sorted by time.

        Within one millisecond, events of one process keep their order, and processes are sorted by name. Raises
        ``RecordingError`` before the first event for an unknown name or an unreadable file.
        """
        asked = sorted(names) if names else [*self.files]
        for who in asked:
            if who not in self.files:
                raise RecordingError(
                    f"{self.folder} contains no process {who}; its processes are {', '.join(self.files)}"
                )
        read = [file.events(self.files[who], who, self.start, self._beyond()) for who in asked]
        return merge(*read, key=lambda event: event.at)


def of_kind(events: Iterable[Event], kind: type[E]) -> list[E]:
    """Return the events that have the type ``kind``."""
    return [event for event in events if isinstance(event, kind)]
