"""A counterexample step by step, ready to be rendered."""

from dataclasses import dataclass

from rebalance_proofs.report.clock import clock
from rebalance_proofs.report.trace_variables import TraceVariable


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
