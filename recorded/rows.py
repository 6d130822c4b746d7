"""Rows of vector files: named fields, each with a reader, whose error says in a sentence what is wrong."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from rebalance_proofs.recorded.text import quoted


class RowError(Exception):
    """The row cannot be read; the text says what is wrong with it."""


class Unmodelled(RowError):
    """The row can be read, but is about something that the model does not have; the text says what."""


def expect(holds: object, otherwise: str) -> None:
    """Raises ``RowError`` with the sentence ``otherwise`` unless the condition holds."""
    if not holds:
        raise RowError(otherwise)


Reader = Callable[[Any, str], Any]
"""``read(found, what)``: the value of a cell or a JSON value. Raises ``RowError``, in which ``what`` is its name."""


def anything(found: Any, what: str) -> Any:
    """The reader that takes anything: for fields that are not checked, or are read with others."""
    return found


def fitting(fits: Callable[[Any], object], why: str, value: Callable[[Any], Any] = lambda found: found) -> Reader:
    """A reader that gives ``value(found)`` if ``fits(found)``; ``why`` ends the error message about anything else."""

    def read(found: Any, what: str) -> Any:
        if not fits(found):
            raise RowError(f"{what} is {quoted(found)}, {why}")
        return value(found)

    return read


def one_of(choices: Mapping[str, Any]) -> Reader:
    """A reader of a few words: word -> value."""
    return fitting(choices.__contains__, f"not one of {', '.join(choices)}", choices.__getitem__)


def words(*choices: str) -> Reader:
    """A reader of a few words, each of which is its own value."""
    return one_of({word: word for word in choices})


def in_turn(*readers: Reader) -> Reader:
    """A reader that passes the result of each of ``readers`` to the next one."""
    return lambda found, what: reduce(lambda value, read: read(value, what), readers, found)


def unless(nothing: Any, read: Reader, instead: Any = None) -> Reader:
    """A reader that gives ``instead`` for ``nothing``, and reads anything else by ``read``."""
    return lambda found, what: instead if found == nothing else read(found, what)


def _nowhere(*_: Any) -> None:
    raise LookupError("nothing is compared with a row that is of no file, or is a part of another")


@dataclass(frozen=True)
class Row:
    """The fields of a row by name. Each is read when it is used: of several bad ones the first that is used raises."""

    readers: Mapping[str, Reader]
    """The readers of the fields that the format knows."""
    fields: Mapping[str, Any]
    """The fields as they are in the file."""
    prefix: str = ""
    """What the fields' names begin with in error messages."""
    compare: Callable[..., None] = _nowhere
    """``Tally.compare`` of this line: ``compare(client, what, recorded, computed, code)``."""
    uncomputed: Callable[..., None] = _nowhere
    """``Tally.uncomputed`` of this line."""

    def __getitem__(self, name: str) -> Any:
        return self.readers[name](self.value(name), f"{self.prefix}{name}")

    def __iter__(self) -> Iterator[Any]:
        """All fields, read in the order of the file."""
        return (self[name] for name in self.fields)

    def value(self, name: str) -> Any:
        """The field as it is in the file. Raises ``RowError`` if it is missing."""
        expect(name in self.fields, f"no {quoted(name)}")
        return self.fields[name]

    def get(self, name: str, otherwise: Any = None) -> Any:
        """The field, or ``otherwise`` if it is missing."""
        return self[name] if name in self.fields else otherwise

    def read(self, *names: str) -> list[Any]:
        """These fields, read in this order."""
        return [self[name] for name in names]


TOPIC = "T"
"""The one topic of all recorded queues; the files that this package reads do not write it."""


def int32(number: int) -> int:
    """A queueId, which is a Java ``int``. Raises ``RowError`` for a number outside of that."""
    expect(-(2**31) <= number < 2**31, f"queueId {quoted(number)} is outside int32")
    return number
