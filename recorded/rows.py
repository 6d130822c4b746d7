"""Rows of vector files: named fields, each with its reader, which says in a sentence what is wrong with a bad one."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from rebalance_proofs.recorded.text import quoted


class RowError(Exception):
    """The row cannot be read; the text says what is wrong with it."""


class Unmodelled(RowError):
    """The row can be read, and is about something that the model does not have; the text says what."""


def expect(holds: object, otherwise: str) -> None:
    """Raises ``RowError`` with that sentence unless it holds."""
    if not holds:
        raise RowError(otherwise)


Reader = Callable[[Any, str], Any]
"""``read(found, what)``: what a cell or a JSON value stands for. Raises ``RowError``, in which ``what`` is its name."""


def anything(found: Any, what: str) -> Any:
    """The reader of what needs none, or is read together with something else."""
    return found


def fitting(fits: Callable[[Any], object], why: str, value: Callable[[Any], Any] = lambda found: found) -> Reader:
    """A reader of what ``fits``, as ``value`` makes something of it; ``why`` ends the sentence about anything else."""

    def read(found: Any, what: str) -> Any:
        if not fits(found):
            raise RowError(f"{what} is {quoted(found)}, {why}")
        return value(found)

    return read


def one_of(choices: Mapping[str, Any]) -> Reader:
    """A reader of a few words, each of which stands for something."""
    return fitting(choices.__contains__, f"not one of {', '.join(choices)}", choices.__getitem__)


def words(*choices: str) -> Reader:
    """The same where each stands for itself."""
    return one_of({word: word for word in choices})


def in_turn(*readers: Reader) -> Reader:
    """A reader that gives each of ``readers`` what the one before it made."""
    return lambda found, what: reduce(lambda value, read: read(value, what), readers, found)


def unless(nothing: Any, read: Reader, instead: Any = None) -> Reader:
    """A reader that gives ``instead`` where ``nothing`` stands."""
    return lambda found, what: instead if found == nothing else read(found, what)


def _nowhere(*_: Any) -> None:
    raise LookupError("nothing is compared with a row that is of no file, or is a part of another")


@dataclass(frozen=True)
class Row:
    """Fields by name. Each is read whenever it is asked for: of several bad ones, the first that is needed is told."""

    readers: Mapping[str, Reader]
    """Of the fields that the format knows."""
    fields: Mapping[str, Any]
    """As they stand in the file."""
    prefix: str = ""
    """What their names begin with in sentences."""
    compare: Callable[..., None] = _nowhere
    """``Tally.compare`` of this line: ``compare(client, what, recorded, computed, code)``."""
    uncomputed: Callable[..., None] = _nowhere
    """``Tally.uncomputed`` of this line."""

    def __getitem__(self, name: str) -> Any:
        return self.readers[name](self.value(name), f"{self.prefix}{name}")

    def __iter__(self) -> Iterator[Any]:
        """All of them, read in the order of the file."""
        return (self[name] for name in self.fields)

    def value(self, name: str) -> Any:
        """The field as it stands there; it has to be there."""
        expect(name in self.fields, f"no {quoted(name)}")
        return self.fields[name]

    def get(self, name: str, otherwise: Any = None) -> Any:
        """The field, or ``otherwise`` where it is not there."""
        return self[name] if name in self.fields else otherwise

    def read(self, *names: str) -> list[Any]:
        """These fields, read in this order."""
        return [self[name] for name in names]


TOPIC = "T"
"""The one topic of all recorded queues; the files that this package reads do not write it."""


def int32(number: int) -> int:
    """A queueId, which is a Java ``int``."""
    expect(-(2**31) <= number < 2**31, f"queueId {quoted(number)} is outside int32")
    return number
