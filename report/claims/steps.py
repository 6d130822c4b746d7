"""How reports print a trace's variables: owner, name, and words for values."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.report.text.grouped import clock

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


# A counterexample step by step, ready to be rendered.


@dataclass(frozen=True)
class Value:
    """A trace variable's value after one step."""

    words: str
    owner: str
    changed: bool
    """Whether the value differs from that before the step."""


@dataclass(frozen=True)
class Step:
    """One action, and the values after it."""

    words: str
    at: int | None
    """Time since the start, in ms; None in traces without times."""
    values: tuple[Value, ...]

    @property
    def clock(self) -> str:
        """The printed time: ``20.007 s``; empty without a time."""
        return "" if self.at is None else clock(self.at)


@dataclass(frozen=True)
class Party:
    """The owner of trace variables, such as a consumer or the broker, with these variables' values."""

    name: str
    trace_variables: tuple[TraceVariable, ...]


@dataclass(frozen=True)
class Played:
    """A whole counterexample: initial state, steps, and the violation at the end."""

    parties: tuple[Party, ...]
    first: Step
    steps: tuple[Step, ...]
    wrong: str
    whole: bool = True
    """Whether the steps contain everything in the counterexample's figure and text, and may replace both."""

    @property
    def timed(self) -> bool:
        """Whether the steps have times."""
        return self.first.at is not None

    @property
    def everything(self) -> tuple[Step, ...]:
        """The initial state and all steps."""
        return (self.first, *self.steps)
