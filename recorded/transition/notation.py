"""How recorded changes write queues, process queues and broker answers."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rebalance_proofs.model.client import effects
from rebalance_proofs.model.client.effects import Effect, RuntimeException
from rebalance_proofs.model.client.environment import (
    DENIED,
    EXC,
    FAILS,
    NO_BROKER,
    NOT_FOUND,
    OK,
    THROW,
    THROW_SECOND,
    THROWS,
    UNLOCK_EXC,
    Answers,
    Environment,
)
from rebalance_proofs.model.client.node import Node
from rebalance_proofs.model.client.node_environment import NodeEnvironment
from rebalance_proofs.model.client.offset_stores import BROKER_EXCEPTION, OFFSET_NOT_FOUND
from rebalance_proofs.model.client.process_queue_table import FREE, ProcessQueue
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.profiles import ClientError, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.rows import (
    Reader,
    Row,
    RowError,
    Unmodelled,
    fitting,
    int32,
    is_number,
    number,
    quoted,
    unless,
    words,
)

ABSENT = "-"
"""Text for "nothing", or for an answer that the client never requested."""

NOW = 1_000_000_000
PULL_EXPIRED = NOW - 200_000
LOCKED_LONG_AGO = NOW - 25_000


def queue_name(queue: MessageQueue) -> str:
    """Return the queue's name, ``topic/broker/queueId``."""
    return f"{queue.topic}/{queue.broker_name}/{queue.queue_id}"


def read_queue(name: str, what: str) -> MessageQueue:
    """Parse the queue name ``topic/broker/queueId``; the inverse of ``queue_name``."""
    match name.split("/"):
        case [topic, broker_name, queue_id]:
            return MessageQueue(topic, broker_name, int32(number(queue_id, "queueId")))
    raise RowError(f"{what} has {quoted(name)}, which is not topic/broker/queueId")


def entry_reader(new: Callable[..., ProcessQueue], **letters: str) -> Reader:
    """Return a reader of a process queue's state.

    The state is written as letters, each followed by a number that matches the letter's pattern. ``d`` dropped, ``l``
    locked, ``e`` pull expired, ``a`` last lock long ago, ``c`` consume lock, ``m`` messages.
    """
    pattern = re.compile("".join(f"{letter}(?P<{letter}>{numbers})" for letter, numbers in letters.items()))

    def entry(text: str) -> ProcessQueue:
        match = pattern.fullmatch(text)
        assert match is not None
        said = {letter: int(number) for letter, number in match.groupdict().items()}
        found = new(
            dropped=bool(said["d"]),
            locked=bool(said["l"]),
            last_pull_timestamp=PULL_EXPIRED if said["e"] else NOW,
            last_lock_timestamp=LOCKED_LONG_AGO if said["a"] else NOW,
            cached=said["m"],
        )
        found.consume_lock = said.get("c", FREE)
        return found

    return fitting(pattern.fullmatch, f"which is not {''.join(f'{letter}X' for letter in letters)}", entry)


def answer(field: str, read: Reader) -> Reader:
    """Return a reader of one field of ``Answers`` (a broker's answers)."""
    return lambda text, what: {field: read(text, what)}


def merged(answers: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge several mappings of answer fields into one."""
    return {field: said for answer in answers for field, said in answer.items()}


def offset_or(*errors: str) -> Reader:
    """Return a reader of an offset, or of one of ``errors``."""
    return fitting(
        lambda text: text in errors or is_number(text),
        f"neither a number nor one of {', '.join(errors)}",
        lambda text: text if text in errors else int(text),
    )


def stored_offset(text: str, what: str) -> dict[str, Any]:
    """Parse the offset in the store, or ``nf`` (no offset) with the following query's answer."""
    if text == "throw":
        return {"stored": THROWS}
    if not text.startswith("nf"):
        return {"stored": number(text, what)}
    rest = text.removeprefix("nf")
    return {"stored": NOT_FOUND, "queried": {"err": FAILS, "rt": THROWS}.get(rest) or number(rest, what)}


OF_JAVA: Mapping[str, Reader] = {
    "lock": answer("lock", words(OK, DENIED, EXC, NO_BROKER, UNLOCK_EXC)),
    "off": stored_offset,
    "persist": answer("persist", words(OK, THROW, THROW_SECOND)),
}
"""Name of a column of Java's files -> reader.

The columns are a broker's lock answer, the store's offset, and the outcome of ``persist``.
"""

OF_JAVA_STORE: Mapping[str, Reader] = {
    "queryRPC": answer("stored", offset_or(OFFSET_NOT_FOUND, BROKER_EXCEPTION, "timeout", "interrupted", "rt")),
    "max": answer("queried", unless(FAILS, number, FAILS)),
    "updateRPC": answer("persist", words(OK, THROW)),
}
"""Name of a column of Java's ``store.tsv`` -> reader.

The columns are a broker's answers to the store's queries, to ``maxOffset`` and to updates.
"""

OF_NODE: Mapping[str, Reader] = {
    "rpc": answer("stored", offset_or(OFFSET_NOT_FOUND, BROKER_EXCEPTION, "timeout")),
    "queryRPC": answer("stored", offset_or(OFFSET_NOT_FOUND, BROKER_EXCEPTION, "timeout")),
    "max": answer("queried", offset_or(FAILS)),
    "upd": answer("persist", words(OK, THROW)),
}
"""Name of a column of Node's files -> reader.

The columns are answers to offset queries and to other requests, and whether the offset was sent.
"""


def if_asked(answers: Mapping[str, Reader], *names: str) -> dict[str, Reader]:
    """Return readers of the columns ``names``; ``-`` means that the client sent no request."""
    return {name: unless(ABSENT, answers[name], {}) for name in names}


# Effects of calls as text in recorded changes, such as ``drop@A persist=throw@A``.

NameOf = Callable[[MessageQueue], str] | None
"""Function from a queue to its name.

The value is None if there is only one queue, whose name is left out.
"""


def effects_text(found: Iterable[Effect], name_of: NameOf = None) -> list[str]:
    """Return effects as texts in order.

    With ``name_of``, effects on a queue end with ``@name``, except ``schedule``. If several process queues are removed
    at once, their order was not observed; here they are sorted by name.
    """
    written: list[str] = []
    leaving = 0
    for effect in found:
        name, queue, *details = effect
        suffix = ""
        if name_of is not None and queue is not None and name != effects.SCHEDULE_UNLOCK:
            suffix = f"@{name_of(queue)}"
        write: Callable[..., str] = WRITERS.get(name, _plain)
        written.append(write(name, *details) + suffix)
        leaving = leaving + 1 if name == effects.OUT else 0
        if leaving > 1:
            written[-leaving:] = sorted(written[-leaving:])
    return written


def effects_cell(found: Iterable[Effect], name_of: NameOf = None) -> str:
    """Return effects as one text, which is a cell of a row."""
    return " ".join(effects_text(found, name_of)) or ABSENT


def _plain(name: str, *details: Any) -> str:
    return "=".join([name, *map(str, details)])


def _in_brackets(count: int) -> Callable[..., str]:
    return lambda name, *details: _plain(f"{name}({','.join(map(str, details[:count]))})", *details[count:])


def _read(name: str, *details: Any) -> str:
    *where, said = details
    return _plain(name + "".join(f"[{each}]" for each in where), said)


def _queried(name: str, said: int | str) -> str:
    return _plain(name, "rt" if said == THROWS else said)


def _names(queues: Iterable[MessageQueue] | None) -> str:
    return "null" if queues is None else "{" + " ".join(sorted(map(queue_name, queues))) + "}"


def _shares(name: str, topic: str, mq_all: Any, mine: Any, *thrown: str) -> str:
    return _plain(f"{name}({topic},all={_names(mq_all)},mine={_names(mine)})", *thrown)


WRITERS: Mapping[str, Callable[..., str]] = {
    effects.TRY_CONSUME_LOCK: _in_brackets(1),
    effects.UPDATE_OFFSET: _in_brackets(1),
    effects.UNLOCK: lambda name, *failure: _plain(f"{name}(oneway)", *failure),
    effects.SCHEDULE_UNLOCK: lambda name, delay: f"{name}(unlock,{delay})",
    effects.READ_OFFSET: _read,
    effects.MAX_OFFSET: _queried,
    effects.SEARCH_OFFSET: _queried,
    effects.PULL_REQUEST: _in_brackets(2),
    effects.REBALANCE_LATER: _in_brackets(1),
    effects.FIND_CONSUMER_IDS: _in_brackets(1),
    effects.QUERY_ASSIGNMENT: _in_brackets(2),
    effects.POP_REQUEST: _in_brackets(1),
    effects.PULL_THRESHOLD: _in_brackets(1),
    effects.PULL_THRESHOLD_SIZE: _in_brackets(1),
    effects.ALLOCATE: lambda name, count, ids, strategy: f"{name}({count},[{', '.join(ids)}])={strategy}",
    effects.QUEUE_CHANGED: _shares,
    effects.LISTENER: _shares,
    effects.EMIT: _in_brackets(1),
    effects.LOCK_BATCH: lambda name, queues, said: _plain(
        f"{effects.LOCK}{_names(queues)}", said if said == EXC else f">{_names(said)}"
    ),
    effects.UNLOCK_BATCH: lambda name, queues, *failure: _plain(f"{effects.UNLOCK}{_names(queues)}(oneway)", *failure),
}
"""Name of an effect -> function that returns its text.

All other effects are written ``name`` or ``name=detail``.
"""


# Dialects: how recordings of different clients write the same things.

Client = RebalanceImpl | Node
Client_co = TypeVar("Client_co", bound=Client, covariant=True)
REBALANCE = "rebalance"
"""Name of the part of the model that is checked here: a client's process queue table."""
THROWN = (RuntimeException, ClientError)
"""Exception types of the model that a client's method can raise."""


@dataclass(frozen=True)
class Dialect(Generic[Client_co]):
    """One version of a client, and the notation of its recordings."""

    name: str
    """Name of the client and its version, for messages."""
    profile: Profile
    environment: Callable[[Mapping[MessageQueue, Answers]], Environment | NodeEnvironment]
    """Function ``environment(answers)`` that returns an environment with these answers."""
    client: Callable[[Any, Settings], Client_co]
    """Function ``client(environment, settings)`` that returns a new client of the model."""
    benign: Answers
    """Answers of the broker for queues and fields that a row does not give."""
    thrown: Callable[[Any], str]
    """Function that returns a thrown exception as text."""
    state: Callable[[Any], str]
    """Function that returns a process queue as text, whether it is in the table or not."""
    state_in_table: Callable[[Any], str]
    """Function that returns a process queue in the table as text."""

    def answers(self, row: Row, *columns: str) -> Answers:
        """Return the broker's answers in these columns.

        Fields that no column gives have default values.
        """
        return self.benign._replace(**merged(row.read(*columns)))

    def post(self, found: ProcessQueue | None, former: ProcessQueue | None, racing: ProcessQueue | None = None) -> str:
        """Return the process queue in the table as text: ``S`` (the same), ``N`` (new) or ``R``.

        ``R`` is a process queue that a concurrent call has added.
        """
        if found is None:
            return ABSENT
        origin = "S" if found is former else "R" if found is racing else "N"
        return f"{origin}:{self.state_in_table(found)}"


def of_version(dialects: Mapping[str, Dialect[Client]]) -> Reader:
    """Return a reader that converts a version to its dialect.

    The reader raises ``Unmodelled`` for an unknown version.
    """

    def read(text: str, what: str) -> Dialect[Client]:
        if text not in dialects:
            raise Unmodelled(f"version {quoted(text)} is not modelled")
        return dialects[text]

    return read
