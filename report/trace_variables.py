"""How reports print a trace's variables: owner, name, and words for values."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

PLAIN, FIRST, SECOND, BOTH, NOBODY = "", "first", "second", "both", "nobody"
"""Owners of values, such as the first consumer of a group.

Each has a colour, which is never the only carrier of information.
"""


@dataclass(frozen=True)
class TraceVariable:
    """A variable of the trace, or one element of a variable that is a sequence."""

    variable: str
    name: str
    party: str = ""
    """The party that owns the variable: ``X``, ``broker``."""
    place: int | None = None
    """Index in the sequence; None for the whole variable."""
    words: Callable[[Any], str] = str
    owner: Callable[[Any], str] = lambda value: PLAIN
    """Function from a value to the owner whose colour it has."""
    meaning: str = ""
    """Explanation in a sentence; if empty, the variable's name in the trace is printed."""

    @property
    def explained(self) -> str:
        """Explanation of the column with the variable's values, in a sentence."""
        return self.meaning or f"{self.variable}, a variable of the trace."

    def value(self, state: dict[str, Any]) -> Any:
        """Return the variable's value in a state of the trace."""
        whole = state[self.variable]
        return whole if self.place is None else whole[self.place]


def yes(whose: str) -> Callable[[Any], str]:
    """Return a function that maps True to the owner ``whose``, and False to no owner."""
    return lambda there: whose if there else NOBODY


def bare(value: Any) -> str:
    """Return the value as the trace file shows it, but text without quotes."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
