"""The protocol of a JVM that runs a strategy.

Batches of calls go through one pipe, and outcomes come through the other. All numbers are little-endian, of 32 bits. A
text is its number of chars (UTF-16 units), followed by the chars. A request starts with its number of bytes.

- The first request: a number of texts, and these texts, the words of a construction. The answer is an error message as
  a text. Without an error, it is an empty text, and the class names of the queues and of the constructor's parameters.
- Every other request: -1 if the classes are to be loaded again and the strategy constructed again before the calls.
  Then a number of texts, and these texts. Only numbers follow, and a text is given by its index among
  those. First a number of lists of queues, each a length and, for each queue, its topic, brokerName and queueId. Then a
  number of lists of client ids, each a length and the ids. Then a number of calls, each its consumerGroup, its
  currentCID, and the indexes of its two lists.
- The answers come in pieces, each starting with its number of bytes. If the call changed a list, the answer follows
  after -3 and a text about the change. An answer is its number of queues and their
  positions in mqAll. If that is not enough, the answer starts with -2. A position can then be -1 for a null queue, or
  -2, followed by topic, brokerName and queueId of a queue that is not in mqAll. The printed output follows as a text. A
  refusal starts with -1, followed by an index in ``KINDS``, a text with details, and the printed output. A text here is
  padded with one char if it has an odd number of them.

Both processes also map a file into memory. It contains the number of started calls of the batch, the number of bytes
printed since the last call started, and these bytes.
"""

import re
import struct
import sys
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from mmap import mmap
from typing import NamedTuple

from rebalance_proofs.model.own.call import (
    CHANGED,
    EXITS,
    FOREIGN_TYPE,
    MEMORY,
    NOT_A_LIST,
    NULL,
    PRINTED_LINES,
    PRINTED_WIDTH,
    THROWS,
    Call,
    Gave,
    Outcome,
    Refused,
)
from rebalance_proofs.model.queues import MessageQueue

KINDS = (THROWS, MEMORY, NULL, NOT_A_LIST, FOREIGN_TYPE, CHANGED, EXITS)
"""Kinds of failed calls that the JVM reports itself.

The last one is for processes and threads that calls leave running. The parent notices a JVM that hangs or ends.
"""

REFUSED, SPELLED_OUT, NOTED = -1, -2, -3
OTHER_QUEUE = -2
RENEW = -1

SHARED = 4096
"""Size in bytes of the file that both processes map into memory."""
SHARED_HEAD = struct.Struct("<ii")
"""Begin of the mapped file: number of started calls, and number of printed bytes.

The printed bytes follow.
"""


class UnreadableError(Exception):
    """Raised for bytes from the pipe that the classes in ``rebalance/`` have not written."""


def construction(words: Sequence[str]) -> bytes:
    """Return the first request, with the words of a construction."""
    return _sized(_texts(words))


def batch(calls: Sequence[Call], renewed: bool = False) -> bytes:
    """Return the request for a batch of calls; with ``renewed``, of a strategy that is constructed again before.

    Raises ``struct.error`` for a queueId that is no Java int. Lists that are the same object are sent once.
    """
    texts: dict[str, int] = {}
    mq_alls: list[int] = []
    cid_alls: list[int] = []
    mq_places: dict[int, int] = {}
    cid_places: dict[int, int] = {}
    numbers: list[int] = []
    for group, current_cid, mq_all, cid_all in calls:
        mq_place = mq_places.get(id(mq_all))
        if mq_place is None:
            mq_place = mq_places[id(mq_all)] = len(mq_places)
            mq_alls.append(len(mq_all))
            for topic, broker_name, queue_id in mq_all:
                mq_alls += texts.setdefault(topic, len(texts)), texts.setdefault(broker_name, len(texts)), queue_id
        cid_place = cid_places.get(id(cid_all))
        if cid_place is None:
            cid_place = cid_places[id(cid_all)] = len(cid_places)
            cid_alls.append(len(cid_all))
            cid_alls += [texts.setdefault(client_id, len(texts)) for client_id in cid_all]
        numbers += (
            texts.setdefault(group, len(texts)),
            texts.setdefault(current_cid, len(texts)),
            mq_place,
            cid_place,
        )
    everything = [len(mq_places), *mq_alls, len(cid_places), *cid_alls, len(calls), *numbers]
    return _sized(
        (struct.pack("<i", RENEW) if renewed else b"")
        + _texts(list(texts))
        + struct.pack(f"<{len(everything)}i", *everything)
    )


def _sized(payload: bytes) -> bytes:
    return struct.pack("<i", len(payload)) + payload


def _texts(texts: Sequence[str]) -> bytes:
    parts = [struct.pack("<i", len(texts))]
    for text in texts:
        chars = text.encode("utf-16-le", "surrogatepass")
        parts += struct.pack("<i", len(chars) // 2), chars
    return b"".join(parts)


class Made(NamedTuple):
    """Properties of a constructed strategy object."""

    queue: str
    """The class name of its queues: ``org.apache.rocketmq.common.message.MessageQueue``."""
    parameters: tuple[str, ...]
    """Type names of the parameters of the object's constructor: ``int``, ``java.lang.String``."""


def made(piece: bytes) -> Made | str:
    """Return the answer to a construction; a text is an error message.

    Raises ``UnreadableError``.
    """
    reader = _Reader(piece)
    with _read_alone():
        if complaint := reader.text():
            return complaint
        return Made(reader.text(), tuple(filter(None, reader.text().split(","))))


def outcomes(piece: bytes, calls: Iterator[Call]) -> Iterator[Outcome]:
    """Yield the outcome of each call in a piece of answers.

    Each takes one call from ``calls``. Raises ``UnreadableError``.
    """
    with _read_alone():
        yield from _outcomes(piece, calls)


def _outcomes(piece: bytes, calls: Iterator[Call]) -> Iterator[Outcome]:
    numbers = array("i", piece)
    if sys.byteorder == "big":
        numbers.byteswap()
    place, end = 0, len(numbers)
    while place < end:
        call = next(calls, None)
        if call is None:
            raise UnreadableError
        count = numbers[place]
        place += 1
        changed = ""
        if count == NOTED:
            reader = _Reader(piece, place)
            changed, count = _readable(reader.text()), reader.number()
            place = reader.place
        if count >= 0:
            if place + count > end:
                raise UnreadableError
            yield Gave(tuple(map(call.mq_all.__getitem__, numbers[place : place + count])), changed=changed)
            place += count
        else:
            reader = _Reader(piece, place)
            outcome = _refused(reader) if count == REFUSED else _spelled_out(reader, call)
            yield outcome._replace(changed=changed)
            place = reader.place


@contextmanager
def _read_alone() -> Iterator[None]:
    """Context manager that turns parse errors into ``UnreadableError``.

    Anything that the classes in ``rebalance/`` write can be parsed.
    """
    try:
        yield
    except (ValueError, IndexError, struct.error) as error:
        raise UnreadableError from error


def _refused(reader: "_Reader") -> Refused:
    return Refused(KINDS[reader.number()], _readable(reader.text()), printed(reader.text()))


def _spelled_out(reader: "_Reader", call: Call) -> Gave:
    found: list[MessageQueue | None] = []
    for _ in range(reader.number()):  # A wrong count ends with the data, because each queue uses at least one number.
        position = reader.number()
        if position == OTHER_QUEUE:
            found.append(MessageQueue(reader.text(), reader.text(), reader.number()))
        else:
            found.append(call.mq_all[position] if position >= 0 else None)
    return Gave(tuple(found), printed(reader.text()))


class _Reader:
    """Reads numbers and texts from a piece of answers, from an index in 32-bit units on."""

    def __init__(self, piece: bytes, place: int = 0) -> None:
        self._piece = piece
        self.place = place

    def number(self) -> int:
        (number,) = struct.unpack_from("<i", self._piece, 4 * self.place)
        self.place += 1
        return int(number)

    def text(self) -> str:
        chars = self.number()
        if chars < 0:
            raise UnreadableError
        start = 4 * self.place
        self.place += (chars + 1) // 2
        return self._piece[start : start + 2 * chars].decode("utf-16-le", "surrogatepass")


def printed(text: str) -> tuple[str, ...]:
    """Return the lines of printed output, cut to the limits in ``model.own.call``."""
    return tuple(_readable(line[:PRINTED_WIDTH]) for line in text.splitlines()[:PRINTED_LINES])


def _readable(text: str) -> str:
    """Return the text on one line, without lone surrogates, which no file can contain.

    Its length is unchanged.
    """
    return re.sub(r"\s", " ", text).encode("utf-8", "replace").decode("utf-8")


def begun(shared: bytes | mmap) -> int:
    """Return the number of started calls of the batch, from the first bytes of the mapped file."""
    return int(SHARED_HEAD.unpack_from(shared)[0])


def printed_last(shared: bytes) -> tuple[str, ...]:
    """Return the output printed since the last call started, from the whole mapped file."""
    length = SHARED_HEAD.unpack_from(shared)[1]
    return printed(shared[SHARED_HEAD.size : SHARED_HEAD.size + length].decode("utf-8", "replace"))
