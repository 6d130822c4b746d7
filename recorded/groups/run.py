"""One recorded run: a folder with one file per process name."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import merge
from pathlib import Path
from typing import NamedTuple, TypeVar

from rebalance_proofs.recorded.files import read
from rebalance_proofs.recorded.groups.driver import (
    BrokerEnded,
    Ended,
    Signal,
    StartAgain,
    StartBroker,
    StartConsumer,
    StartProducer,
)
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.names import DRIVER as DRIVER_EVENTS
from rebalance_proofs.recorded.groups.names import PROCESSES, Beyond
from rebalance_proofs.recorded.groups.record import RecordingError, UnknownKey, Value, as_record, parsed
from rebalance_proofs.recorded.rows import quoted

# Parse one line of a recording into an event; its time is that of the machine's clock.

SETTER = "set_"
LONGEST = 24 * 60 * 60 * 1000
"""Milliseconds that no recording takes; the longest shipped one takes 9 minutes."""
APART = 60 * 60 * 1000
"""Milliseconds by which no event is before the driver's first event, or after its last one.

All processes of a run share one clock, and one step of a scenario takes at most an hour. The follower passes through
all timers up to an event, so a damaged time would cost gigabytes.
"""


class Span(NamedTuple):
    """Times of the driver's first and last event in milliseconds since 1970."""

    first: int
    last: int

    def require(self, at: int) -> None:
        """Raise ``ValueError`` for a time at which the run had no event."""
        if abs(at - self.first) > LONGEST:
            raise ValueError(f'"at" is {quoted(at)}, more than a day from {self.first}, the driver\'s first event')
        if at < self.first - APART:
            raise ValueError(f'"at" is {quoted(at)}, more than an hour before {self.first}, the driver\'s first event')
        if at > self.last + APART:
            raise ValueError(f'"at" is {quoted(at)}, more than an hour after {self.last}, the driver\'s last event')


class Stamped(NamedTuple):
    """A line of a recording, with the parts that all lines have, and the rest not yet parsed."""

    epoch: int
    """Time in milliseconds since 1970."""
    who: str
    ev: str
    n: int | None
    rest: dict[str, Value]
    row: int = 0
    """Number of the line in its file, from 1."""
    known: bool = True
    """True if the format defines an event with the line's name."""


def stamped(text: str, who: str, beyond: Beyond | None = None, row: int = 0) -> Stamped:
    """Parse the common parts of a line of the process ``who``.

    Raises ``ValueError``, but not for unknown events if ``beyond`` is given.
    """
    found = parsed(text)
    epoch, said, ev, n = found.pop("at", None), found.pop("who", None), found.pop("ev", None), found.pop("n", None)
    if type(epoch) is not int:
        raise ValueError(f'"at" is {quoted(epoch)}, not a number')
    if said != who:
        raise ValueError(f'"who" is {quoted(said)}, but the file belongs to {who}')
    known = isinstance(ev, str) and ev in (DRIVER_EVENTS if who == "driver" else PROCESSES)
    if not isinstance(ev, str) or (beyond is None and not known):
        raise ValueError(f"unknown event {quoted(ev)}")
    if beyond is not None and not known:
        beyond.events[ev] += 1
    if type(n) is not int and (n is not None or who != "driver"):
        raise ValueError(f'"n" is {quoted(n)}, not a number')
    return Stamped(epoch, who, ev, n, found, row, known)


def event(line: Stamped, span: Span, beyond: Beyond | None = None) -> Event:
    """Return the event of a line.

    Raises ``ValueError``, also for a time outside the run; with ``beyond``, unknown keys are counted and skipped.
    """
    span.require(line.epoch)
    kind = (DRIVER_EVENTS if line.who == "driver" else PROCESSES)[line.ev]
    known: dict[str, object] = {"at": line.epoch - span.first, "who": line.who, "n": line.n, "row": line.row}
    rest = _with_settings(line.rest) if kind in (StartBroker, StartConsumer) else line.rest
    while True:
        try:
            return as_record(kind, rest, line.ev, **known)
        except UnknownKey as unknown:
            if beyond is None:
                raise
            beyond.keys[f"{unknown.of} has {quoted(unknown.key)}"] += 1
            del unknown.found[unknown.key]


def _with_settings(found: Mapping[str, Value]) -> dict[str, Value]:
    """Return a line's fields with its keys ``set_...`` moved into one field ``settings``."""
    settings: dict[str, Value] = {key.removeprefix(SETTER): found[key] for key in found if key.startswith(SETTER)}
    return {key: found[key] for key in found if not key.startswith(SETTER)} | {"settings": settings}


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


def read_events(path: Path, who: str, span: Span, beyond: Beyond | None = None) -> list[Event]:
    """Return the events of a file, sorted by time; events of one millisecond keep their order.

    Raises ``RecordingError``. With ``beyond``, parts that the format does not define are counted and skipped.
    """
    made = []
    for line in lines(path, who, beyond):
        try:
            made.append(event(line, span, beyond))
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


DRIVER, PRODUCER = "driver", "p"
"""Names of the process that starts all others, and of the one that sends messages."""
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

    @property
    def start(self) -> int:
        """Time of the driver's first event in milliseconds since 1970. Raises ``RecordingError``."""
        return self.span.first

    @cached_property
    def span(self) -> Span:
        """Times of the driver's first and last event. Raises ``RecordingError``."""
        stamps = [line.epoch for line in lines(self.files[DRIVER], DRIVER, self._beyond())]
        if not stamps:
            raise RecordingError(f"{self.files[DRIVER]} contains no event")
        return Span(min(stamps), max(stamps))

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
        read = [read_events(self.files[who], who, self.span, self._beyond()) for who in asked]
        return merge(*read, key=lambda event: event.at)


def of_kind(events: Iterable[Event], kind: type[E]) -> list[E]:
    """Return the events that have the type ``kind``."""
    return [event for event in events if isinstance(event, kind)]


BEGINNING = 30_000
"""Milliseconds until a started process has written an event; the slowest of the shipped recordings needed 17 s."""
ENDS = (Signal, Ended, BrokerEnded, StartAgain)
"""Types of driver events after which a process may not write its first event any more."""


def require_complete(folder: Path, of: Mapping[str, Sequence[Event]]) -> None:
    """Check that each process that the driver started has events, unless it was killed or stopped at once.

    ``of``: process name -> its events, sorted by time. Raises ``RecordingError``. The event of a producer's start does
    not name it; any other process with events can be the producer.
    """
    driver = of[DRIVER]
    named = {event.of for event in driver if isinstance(event, (StartBroker, StartConsumer))}
    produced = any(events for who, events in of.items() if who not in (DRIVER, *named))
    for place, event in enumerate(driver):
        if not isinstance(event, (StartBroker, StartConsumer, StartProducer)):
            continue
        who = PRODUCER if isinstance(event, StartProducer) else event.of
        if of.get(who) or (isinstance(event, StartProducer) and produced):
            continue
        until = next((one.at for one in driver[place:] if isinstance(one, ENDS) and one.of == who), driver[-1].at)
        if until - event.at >= BEGINNING:
            raise RecordingError(
                f"{folder}: {who} has no events, but the driver started it; the recording is not complete"
            )


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
