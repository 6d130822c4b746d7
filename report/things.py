"""What a trace's variables are, for people: whose they are, what they are called, how their values are told."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["BOTH", "FIRST", "NOBODY", "NOTHING", "PLAIN", "SECOND", "Thing", "bare", "consumers", "yes"]

PLAIN, FIRST, SECOND, BOTH, NOBODY = "", "first", "second", "both", "nobody"
"""Whose something is; each has a colour, and nothing is said by it alone."""
NOTHING = "–"
QUEUE = "Whether the consumer has an entry of the queue in its table."
LISTENER = "Whether the consumer's listener is called with messages of the queue just now."


@dataclass(frozen=True)
class Thing:
    """A variable, or of one that is a sequence the value at one place."""

    variable: str
    name: str
    party: str = ""
    """Whose it is: ``X``, ``broker``."""
    place: int | None = None
    """In the sequence."""
    words: Callable[[Any], str] = str
    owner: Callable[[Any], str] = lambda value: PLAIN
    """Whose colour the value has."""
    meaning: str = ""
    """In a sentence; else its name in the trace."""

    @property
    def explained(self) -> str:
        """What whoever asks for its column is told."""
        return self.meaning or f"{self.variable}, a variable of the trace."

    def value(self, state: dict[str, Any]) -> Any:
        """In one state of the trace."""
        whole = state[self.variable]
        return whole if self.place is None else whole[self.place]


def yes(whose: str) -> Callable[[Any], str]:
    """The colour of what is there, and of what is not."""
    return lambda there: whose if there else NOBODY


def bare(value: Any) -> str:
    """A value as it stands in the trace; a text without its quotes."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def consumers(
    names: tuple[str, str], more: Callable[[str, int], Iterable[Thing]] = lambda name, place: ()
) -> Iterator[Thing]:
    """Of two consumers of one queue whether it is in the table, and whether the listener is called; and ``more``."""
    for place, (name, colour) in enumerate(zip(names, (FIRST, SECOND), strict=True)):
        yield Thing("present", "queue", name, place, lambda held: "has it" if held else NOTHING, yes(colour), QUEUE)
        yield Thing("runs", "listener", name, place, lambda runs: "runs" if runs else NOTHING, yes(colour), LISTENER)
        yield from more(name, place)
