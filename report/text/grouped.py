"""Group items by a key."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


def grouped(things: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Return the items of each key.

    Keys come in the order of first appearance, items in their original order.
    """
    found: dict[K, list[T]] = {}
    for thing in things:
        found.setdefault(key(thing), []).append(thing)
    return found


# Store texts that many keys share only once, to keep generated files small.


class Once:
    """Table of different texts, with the index of each key's text.

    Made from a mapping of keys to texts.
    """

    def __init__(self, of: Mapping[str, str]) -> None:
        self.texts = tuple(dict.fromkeys(of.values()))
        """The different texts, in the order of their first appearance."""
        places = {text: place for place, text in enumerate(self.texts)}
        self._numbers = {name: places[text] for name, text in of.items()}

    def number(self, name: str) -> int:
        """Return the index in ``texts`` of a key's text. Raises ``KeyError`` for an unknown key."""
        return self._numbers[name]


# Format the times in traces for people.


def clock(at: int) -> str:
    """Return a time since the trace's beginning, from ms: ``20.007 s``."""
    return f"{at / 1000:.3f} s"
