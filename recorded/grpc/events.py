"""Events of a recording with gRPC members, and how its files are read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rebalance_proofs.recorded.files import read
from rebalance_proofs.recorded.groups.record import RecordingError, Value, as_record, parsed
from rebalance_proofs.recorded.groups.run import DRIVER, LONGEST, PRODUCER, Run
from rebalance_proofs.recorded.rows import quoted


@dataclass(frozen=True)
class Event:
    """One line: a time in milliseconds since 1970, a process name, and the line's number among those of its process."""

    at: int
    who: str
    n: int | None


@dataclass(frozen=True)
class Plain(Event):
    """An event without more: a client has started, or begins or ends its shutdown."""


@dataclass(frozen=True)
class Started(Event):
    """A client has started."""

    workers: int | None = None
    """Largest number of its receive requests at a time, if there is one."""


@dataclass(frozen=True)
class Answer(Event):
    """A member has received a topic's assignment, and applies it next."""

    topic: str
    queues: tuple[str, ...]
    """The assigned queues, such as ``T1:b0:2``; the number -1 means all queues of the broker."""


@dataclass(frozen=True)
class Failed(Event):
    """A query for a topic's assignment has failed."""

    topic: str


@dataclass(frozen=True)
class Create(Event):
    """A process queue was created; ``p`` is its number in the process."""

    p: int
    q: str


@dataclass(frozen=True)
class OfQueue(Event):
    """A process queue is dropped, begins or ends a receive loop, or sends a receive request."""

    p: int


@dataclass(frozen=True)
class Received(Event):
    """A receive request has ended, with the keys of its messages, or with an error."""

    p: int
    keys: tuple[str, ...]
    error: str | None = None


@dataclass(frozen=True)
class Table(Event):
    """The table after a step."""

    topic: str
    table: Mapping[str, int]
    """Queue -> number of its process queue."""


@dataclass(frozen=True)
class Message(Event):
    """A listener begins with a message."""

    key: str
    attempt: int
    q: str | None = None
    """Its queue, if a remoting member records it."""


@dataclass(frozen=True)
class Share(Event):
    """A remoting member has allocated queues to itself."""

    topic: str
    consumers: int
    """Number of consumers in the list that it got."""
    place: int
    """Its own place in the list; -1 if the list does not have it yet."""
    all: tuple[str, ...]
    mine: tuple[str, ...]


@dataclass(frozen=True)
class Key(Event):
    """A message was sent, or a listener has ended."""

    key: str
    error: str | None = None


@dataclass(frozen=True)
class Grpc(Event):
    """The driver begins to record a scenario."""

    scenario: str
    ordered: bool


@dataclass(frozen=True)
class Artifact(Event):
    """A jar of the servers."""

    jar: str
    sha256: str


@dataclass(frozen=True)
class Servers(Event):
    """The driver starts the servers; the topics have numbers of queues."""

    release: str
    topics: Mapping[str, int]
    brokers: int = 0
    """Number of brokers behind a proxy in cluster mode; 0 in local mode."""


@dataclass(frozen=True)
class Join(Event):
    """The driver starts a member."""

    of: str
    client: str
    version: str
    topics: tuple[str, ...]
    by_broker: bool = False
    """Whether the broker assigns queues to it, if it is a remoting member."""


@dataclass(frozen=True)
class Signal(Event):
    """The driver kills a member, shuts it down, or stops or starts a broker or the proxy."""

    of: str
    signal: str | None = None


@dataclass(frozen=True)
class Queues(Event):
    """The driver changes a topic's number of queues."""

    topic: str
    to: int


@dataclass(frozen=True)
class Mode(Event):
    """The driver changes how remoting members request a topic's messages if the broker assigns queues to them."""

    topic: str
    mode: str


@dataclass(frozen=True)
class End(Event):
    """The recording ends, or the run has failed."""

    error: str | None = None


OF_DRIVER: Mapping[str, type[Event]] = {
    "grpc": Grpc,
    "artifact": Artifact,
    "start-servers": Servers,
    "join": Join,
    "signal": Signal,
    "shutdown": Signal,
    "stop-server": Signal,
    "start-server": Signal,
    "queues": Queues,
    "mode": Mode,
    "failed": End,
    "end": End,
}
OF_MEMBERS: Mapping[str, type[Event]] = {
    "started": Started,
    "answer": Answer,
    "failed": Failed,
    "create": Create,
    "drop": OfQueue,
    "begin": OfQueue,
    "end": OfQueue,
    "receive": OfQueue,
    "received": Received,
    "table": Table,
    "share": Share,
    "message": Message,
    "done": Key,
    "sent": Key,
    "not-sent": Key,
    "stopped": Plain,
    "shutdown": Plain,
    "shutdown-end": Plain,
}
"""Name of an event -> its class."""


@dataclass(frozen=True)
class Recording:
    """One recorded run, with its events by process, each with the event's name."""

    events: Mapping[str, Sequence[tuple[str, Event]]] = field(repr=False)

    @property
    def driver(self) -> Sequence[tuple[str, Event]]:
        """What the driver did."""
        return self.events[DRIVER]


def is_grpc(folder: Path) -> bool:
    """Return True for the folder of a recording with gRPC members. Raises ``RecordingError``."""
    first = next(iter(read(Run(folder).files[DRIVER])), None)
    return first is not None and '"ev": "grpc"' in first.text


def load(folder: Path) -> Recording:
    """Read a recording. Raises ``RecordingError``, also if a file or the end of a file is missing."""
    found = Recording({who: _events(path, who) for who, path in Run(folder).files.items()})
    for problem in _missing(found):
        raise RecordingError(f"{folder}: {problem}")
    return found


def _missing(found: Recording) -> Iterator[str]:
    """Yield why a recording is not whole, or has a time outside of it."""
    driver = found.driver
    failed = any(name == "failed" for name, _ in driver)
    if driver[-1][0] != "end":
        yield "the driver has no event end; the recording is not complete"
    members = [event.of for _, event in driver if isinstance(event, Join)]
    ends = {event.of: "shutdown-end" for name, event in driver if name == "shutdown" and isinstance(event, Signal)}
    ends[PRODUCER] = "stopped"
    for who in (PRODUCER, *members):
        names = [name for name, _ in found.events.get(who, ())]
        if not names and not failed:
            yield f"{who} has no events, but the driver started it; the recording is not complete"
        if who in ends and ends[who] not in names and not failed:
            yield f"{who} has no event {ends[who]}; the recording is not complete"
    first, last = driver[0][1].at, driver[-1][1].at
    if last - first > LONGEST:
        yield f"it takes {(last - first) // 1000} s, longer than any recording; a time of the driver is wrong"
    for who, each in found.events.items():
        if who not in (DRIVER, PRODUCER, *members):
            yield f"{who} has events, but the driver did not start it"
        for number, (name, event) in enumerate(each, 1):
            if event.at < first or (event.at > last and not failed):
                yield f"{who}, event {number} ({name}): the time {event.at} is not within the recording"


def _events(path: Path, who: str) -> list[tuple[str, Event]]:
    found: list[tuple[str, Event]] = []
    try:
        for line in read(path):
            try:
                if line.problem:
                    raise ValueError(line.problem)
                found.append(_event(parsed(line.text), who, len(found)))
            except ValueError as error:
                raise RecordingError(f"{path}, line {line.number}: {error}") from error
    except OSError as error:
        raise RecordingError(f"cannot read {path}: {error.strerror}") from error
    return found


def _event(said: dict[str, Value], who: str, number: int) -> tuple[str, Event]:
    """Return an event's name and the event. Raises ``ValueError``."""
    name: Any = said.pop("ev", None)
    kind = (OF_DRIVER if who == DRIVER else OF_MEMBERS).get(name)
    if kind is None:
        raise ValueError(f"unknown event {quoted(name)}")
    at: Any = said.pop("at", None)
    of: Any = said.pop("who", None)
    n: Any = said.pop("n", None)
    if type(at) is not int:
        raise ValueError(f'"at" is {quoted(at)}, not a number')
    event: Event = as_record(kind, said, name, at=at, who=of, n=n)
    if event.who != who:
        raise ValueError(f'"who" is {quoted(event.who)}, but the file belongs to {who}')
    if who != DRIVER and event.n != number:
        raise ValueError(f'"n" is {quoted(event.n)}, but {number} is next')
    return name, event
