"""Rows of recorded results: named fields with readers, whose errors are sentences."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from rebalance_proofs.model.queues import MessageQueue

# Values of recorded results as text for messages: short, and printable.

LONGEST = 160
LEAD = 20


def printable(text: str) -> str:
    """Return ``text`` with its unprintable characters escaped as in JSON."""
    if text.isprintable():  # nearly every text
        return text
    return "".join(character if character.isprintable() else json.dumps(character)[1:-1] for character in text)


def quoted(value: object) -> str:
    """Return ``value`` as JSON, cut if it is long; only ``...`` if it is nested too deeply."""
    try:
        text = json.dumps(value)
    except RecursionError:
        return "..."
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def around_difference(left: str, right: str) -> tuple[str, str]:
    """Return both texts; if one is long, cut both to the place where they begin to differ."""
    if max(len(left), len(right)) <= LONGEST:
        return left, right
    pairs = enumerate(zip(left, right, strict=False))
    common = next((place for place, (one, other) in pairs if one != other), min(len(left), len(right)))
    start = max(0, common - LEAD)
    return _cut(left, start), _cut(right, start)


def _cut(text: str, start: int) -> str:
    end = start + LONGEST
    return ("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")


class RowError(Exception):
    """Error: a row cannot be read; the text is the problem."""


class Unmodelled(RowError):
    """Error: a row can be read, but is about something that the model lacks; the text names it."""


def expect(holds: object, otherwise: str) -> None:
    """Raise ``RowError`` with the sentence ``otherwise`` unless the condition holds."""
    if not holds:
        raise RowError(otherwise)


Reader = Callable[[Any, str], Any]
"""Function ``read(found, what)`` that returns the value of a cell or a JSON value.

It raises ``RowError``.
"""


def anything(found: Any, what: str) -> Any:
    """Return any value unchanged.

    This reader is for fields that are not checked, or are read together with others.
    """
    return found


def fitting(fits: Callable[[Any], object], why: str, value: Callable[[Any], Any] = lambda found: found) -> Reader:
    """Return a reader that returns ``value(found)`` if ``fits(found)``.

    ``why`` ends its error message.
    """

    def read(found: Any, what: str) -> Any:
        if not fits(found):
            raise RowError(f"{what} is {quoted(found)}, {why}")
        return value(found)

    return read


def one_of(choices: Mapping[str, Any]) -> Reader:
    """Return a reader that accepts the keys of ``choices``, and returns their values."""
    return fitting(choices.__contains__, f"not one of {', '.join(choices)}", choices.__getitem__)


def words(*choices: str) -> Reader:
    """Return a reader that accepts only the words ``choices``, and returns them unchanged."""
    return one_of({word: word for word in choices})


def in_turn(*readers: Reader) -> Reader:
    """Return a reader that passes the result of each reader to the next one."""
    return lambda found, what: reduce(lambda value, read: read(value, what), readers, found)


def unless(nothing: Any, read: Reader, instead: Any = None) -> Reader:
    """Return a reader: ``instead`` for ``nothing``, and the result of ``read`` otherwise."""
    return lambda found, what: instead if found == nothing else read(found, what)


def _nowhere(*_: Any) -> None:
    raise LookupError("a row without a file, or inside another row, cannot be compared")


@dataclass(frozen=True)
class Row:
    """The fields of a row, by name.

    Each field is parsed when it is used, so the first used invalid field raises ``RowError``.
    """

    readers: Mapping[str, Reader]
    """Name of a field -> its reader, for the fields that the format defines."""
    fields: Mapping[str, Any]
    """Name of a field -> its value as in the file, not yet parsed."""
    prefix: str = ""
    """Prefix of field names in error messages."""
    compare: Callable[..., None] = _nowhere
    """Function that records a comparison for this row.

    It is called as ``compare(client, what, recorded, computed, code)``. See ``Tally.compare``.
    """
    uncomputed: Callable[..., None] = _nowhere
    """Function that records that the model computes nothing for this row.

    See ``Tally.uncomputed``.
    """

    def __getitem__(self, name: str) -> Any:
        return self.readers[name](self.value(name), f"{self.prefix}{name}")

    def __iter__(self) -> Iterator[Any]:
        """Return the values of all fields, parsed in the order of the file."""
        return (self[name] for name in self.fields)

    def value(self, name: str) -> Any:
        """Return the field as in the file. Raises ``RowError`` if it is missing."""
        expect(name in self.fields, f"no {quoted(name)}")
        return self.fields[name]

    def get(self, name: str, otherwise: Any = None) -> Any:
        """Return the field, or ``otherwise`` if it is missing."""
        return self[name] if name in self.fields else otherwise

    def read(self, *names: str) -> list[Any]:
        """Return the values of the fields ``names``, parsed in this order."""
        return [self[name] for name in names]


TOPIC = "T"
"""The topic of all recorded queues; the files do not contain it."""


def int32(number: int) -> int:
    """Return a queueId, which is a Java ``int``.

    Raises ``RowError`` for a number outside its range.
    """
    expect(-(2**31) <= number < 2**31, f"queueId {quoted(number)} is outside int32")
    return number


# Tab-separated files of recorded results: columns, and readers of common cells.


@dataclass(frozen=True)
class Table:
    """Rows of one tab-separated file."""

    columns: Mapping[str, Reader]
    """Column -> reader of its cells, in the order of the file."""
    headings: Sequence[str] = ()
    """Name of a column -> its heading in the file, if they differ."""

    def check_header(self, text: str, *known: dict[Any, Any]) -> None:
        """Raise ``RowError`` unless a header contains the columns' headings.

        ``text`` is the header after its ``#``. ``known``: dictionaries of other files, for tables whose headers contain
        more.
        """
        header = "\t".join(self.headings or self.columns)
        expect(text == header, f"the header is not #{header}")

    def read(self, text: str) -> Row:
        """Parse a line into a row. Raises ``RowError`` unless it has a cell for each column."""
        cells, names = text.split("\t"), ", ".join(self.columns)
        expect(len(cells) == len(self.columns), f"{len(cells)} columns, expected {len(self.columns)} ({names})")
        return Row(self.columns, dict(zip(self.columns, cells, strict=True)))


def is_number(text: str) -> bool:
    """Return True for a number of at most 10 digits as ``str`` writes it.

    ``int`` would accept other texts as well.
    """
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 10 and str(int(text)) == text


number = fitting(is_number, "not a number", int)
flag = one_of({"0": False, "1": True})


def queues(text: str, q: int, what: str) -> list[MessageQueue]:
    """Return ``q`` queues, written ``broker:queueId,broker:queueId``."""
    found = []
    for item in text.split(","):
        broker_name, colon, queue_id = item.rpartition(":")
        expect(colon, f"{what} has {quoted(item)}, which is not broker:queueId")
        found.append(MessageQueue(TOPIC, broker_name, int32(number(queue_id, "queueId"))))
    expect(len(found) == q, f"{what} has {len(found)} queues, q is {q}")
    return found


def queues_text(mq_all: Sequence[MessageQueue]) -> str:
    """Return queues as ``broker:queueId,broker:queueId``; the inverse of ``queues``."""
    return ",".join(f"{queue.broker_name}:{queue.queue_id}" for queue in mq_all)


def client_ids(text: str, c: int, what: str) -> list[str]:
    """Return ``c`` client ids, separated by commas."""
    found = text.split(",")
    expect("" not in found, f"{what} has an empty client id")
    expect(len(found) == c, f"{what} has {len(found)} client ids, c is {c}")
    return found
