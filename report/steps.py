"""A run step by step, as it is shown."""

from dataclasses import dataclass

from rebalance_proofs.report.clock import clock
from rebalance_proofs.report.things import Thing

__all__ = ["Party", "Played", "Step", "Value"]


@dataclass(frozen=True)
class Value:
    """What is the case with one thing."""

    words: str
    owner: str
    changed: bool
    """It was otherwise one step before."""


@dataclass(frozen=True)
class Step:
    """What is done, and the case after it."""

    words: str
    at: int | None
    """ms since the beginning, where the run has times."""
    values: tuple[Value, ...]

    @property
    def clock(self) -> str:
        """``20.007 s``."""
        return "" if self.at is None else clock(self.at)


@dataclass(frozen=True)
class Party:
    """Some things that stand side by side and are one's own."""

    name: str
    things: tuple[Thing, ...]


@dataclass(frozen=True)
class Played:
    """All of it: how it begins, the steps, and what is wrong at the end."""

    parties: tuple[Party, ...]
    first: Step
    steps: tuple[Step, ...]
    wrong: str
    whole: bool = True
    """It tells all that picture and story of the counterexample tell, and may stand in their place."""

    @property
    def timed(self) -> bool:
        """Its steps have times."""
        return self.first.at is not None

    @property
    def everything(self) -> tuple[Step, ...]:
        """The beginning, and every step."""
        return (self.first, *self.steps)
