"""How recorded changes write queues, process queues and broker answers."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

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
)
from rebalance_proofs.model.client.process_queue import FREE, ProcessQueue
from rebalance_proofs.model.client.remote_broker_offset_store import BROKER_EXCEPTION, OFFSET_NOT_FOUND
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.rows import Reader, RowError, fitting, int32, unless, words
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import is_number, number

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
