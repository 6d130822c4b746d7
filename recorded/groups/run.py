"""One recorded run: a folder with one file per process name."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import merge
from pathlib import Path
from typing import TypeVar

from rebalance_proofs.recorded.files import read
from rebalance_proofs.recorded.groups.driver import StartBroker, StartConsumer
from rebalance_proofs.recorded.groups.error import RecordingError
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.line import Stamped, event, stamped
from rebalance_proofs.recorded.groups.names import Beyond

# Read one file of a recording: all events of one process name, including restarts.


def lines(path: Path, who: str, beyond: Beyond | None = None) -> Iterator[Stamped]:
    """Yield the parsed lines of a file in order.

    Raises ``RecordingError`` for an invalid or missing line; lines are numbered by the process that writes them. With
    ``beyond``, unknown events are counted and skipped, and missing lines are recorded there instead.
    """
    last: Counter[int] = Counter()
    for number, text in _texts(path):
        try:
            line = stamped(text, who, beyond, number)
        except ValueError as error:
            raise _problem(path, number, str(error)) from error
        try:
            _follow(last, line.n)
        except ValueError as error:
            if beyond is None:
                raise _problem(path, number, str(error)) from error
            beyond.missing.append((number, line.epoch, str(error)))
            last[line.n or 0] += 1
        if line.known:
            yield line


def read_events(path: Path, who: str, start: int, beyond: Beyond | None = None) -> list[Event]:
    """Return the events of a file, sorted by time; events of one millisecond keep their order.

    ``start``: start of the run in milliseconds since 1970. Raises ``RecordingError``. With ``beyond``, parts that the
    format does not define are counted and skipped.
    """
    made = []
    for line in lines(path, who, beyond):
        try:
            made.append(event(line, start, beyond))
        except ValueError as error:
            raise _problem(path, line.row, str(error)) from error
    return sorted(made, key=lambda each: each.at)


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    try:
        for line in read(path):
            if line.problem:
                raise _problem(path, line.number, line.problem)
            yield line.number, line.text
    except OSError as error:
        raise RecordingError(f"cannot read {path}: {error.strerror}") from error


def _follow(last: Counter[int], n: int | None) -> None:
    """Check that no line is missing before the line with the number ``n``.

    ``last`` counts, for each last number, the processes that have written it. Raises ``ValueError`` for a gap. The next
    process of a name may begin while the previous one still writes.
    """
    if n is None:
        return
    if n != 0:
        if not last[n - 1]:
            raise ValueError(f'"n" is {n}, but the process has no earlier line {n - 1}')
        last[n - 1] -= 1
    last[n] += 1


def _problem(path: Path, number: int, why: str) -> RecordingError:
    return RecordingError(f"{path}, line {number}: {why}")


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
        stamps = [line.epoch for line in lines(self.files[DRIVER], DRIVER, self._beyond())]
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
        read = [read_events(self.files[who], who, self.start, self._beyond()) for who in asked]
        return merge(*read, key=lambda event: event.at)


def of_kind(events: Iterable[Event], kind: type[E]) -> list[E]:
    """Return the events that have the type ``kind``."""
    return [event for event in events if isinstance(event, kind)]


# Recorded runs that are part of this package.

FOLDER = Path(__file__).parent


def shipped(version: str, scenario: str) -> Run:
    """Return the recorded run of a scenario, such as ``shipped("java-5.3.3", "relock")``.

    The README in this folder lists all scenarios.
    """
    return Run(FOLDER / version / scenario)


def all_shipped() -> dict[str, Run]:
    """Return all recorded runs in the package, by name such as ``java-5.3.3/relock``."""
    folders = sorted(path.parent for path in FOLDER.glob("java-*/*/driver.jsonl.gz"))
    return {f"{folder.parent.name}/{folder.name}": Run(folder) for folder in folders}
