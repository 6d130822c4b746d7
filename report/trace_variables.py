"""Display of a trace's variables: owner, name, and words for values."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["BOTH", "FIRST", "NOBODY", "PLAIN", "SECOND", "TraceVariable", "bare", "yes"]

PLAIN, FIRST, SECOND, BOTH, NOBODY = "", "first", "second", "both", "nobody"
"""Owners of values. Each has a colour, which never carries information by itself."""


@dataclass(frozen=True)
class TraceVariable:
    """A variable of the trace, or one element of a variable that is a sequence."""

    variable: str
    name: str
    party: str = ""
    """The owner: ``X``, ``broker``."""
    place: int | None = None
    """Index in the sequence; None for the whole variable."""
    words: Callable[[Any], str] = str
    owner: Callable[[Any], str] = lambda value: PLAIN
    """The owner whose colour a value has."""
    meaning: str = ""
    """Explanation in a sentence; empty to explain it by its name in the trace."""

    @property
    def explained(self) -> str:
        """Explanation of its column."""
        return self.meaning or f"{self.variable}, a variable of the trace."

    def value(self, state: dict[str, Any]) -> Any:
        """The thing's value in a state of the trace."""
        whole = state[self.variable]
        return whole if self.place is None else whole[self.place]


def yes(whose: str) -> Callable[[Any], str]:
    """Function from a truth value to an owner: ``whose`` if true, nobody if false."""
    return lambda there: whose if there else NOBODY


def bare(value: Any) -> str:
    """The value as it stands in the trace; a text without its quotes."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
