"""A counterexample step by step, ready to be shown."""

from dataclasses import dataclass

from rebalance_proofs.report.clock import clock
from rebalance_proofs.report.trace_variables import TraceVariable

__all__ = ["Party", "Played", "Step", "Value"]


@dataclass(frozen=True)
class Value:
    """A thing's value after one step."""

    words: str
    owner: str
    changed: bool
    """Whether it differs from the value one step before."""


@dataclass(frozen=True)
class Step:
    """One action, and the values after it."""

    words: str
    at: int | None
    """Time since the beginning, in ms; None in traces without times."""
    values: tuple[Value, ...]

    @property
    def clock(self) -> str:
        """The time for people: ``20.007 s``; empty without one."""
        return "" if self.at is None else clock(self.at)


@dataclass(frozen=True)
class Party:
    """A group of things with one owner."""

    name: str
    trace_variables: tuple[TraceVariable, ...]


@dataclass(frozen=True)
class Played:
    """The whole counterexample: initial state, steps, and what is wrong at the end."""

    parties: tuple[Party, ...]
    first: Step
    steps: tuple[Step, ...]
    wrong: str
    whole: bool = True
    """Whether the steps carry all that figure and story do, and may replace them."""

    @property
    def timed(self) -> bool:
        """Whether the steps have times."""
        return self.first.at is not None

    @property
    def everything(self) -> tuple[Step, ...]:
        """The initial state and all steps."""
        return (self.first, *self.steps)
