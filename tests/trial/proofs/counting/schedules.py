"""The world of the two workers: who goes, step by step."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import z3

from rebalance_proofs.proofs.counting.machine import CountingEncoding, State, after


@dataclass(frozen=True)
class Schedules:
    """Every schedule of up to so many steps."""

    most_steps: int
    name: str = "schedules"
    sentence: str = "Either worker can go at each step."
    otherwise: str = ""
    without: str = ""
    dropped: bool = False
    subjects: int = 1
    kind: ClassVar[str] = "counting"

    def of(self, steps: int) -> Iterator[tuple[int, ...]]:
        """All of so many steps."""
        return product((0, 1), repeat=steps)


@dataclass(frozen=True)
class Situation:
    """A schedule of which only the length is known."""

    encoding: CountingEncoding
    steps: int

    @property
    def schedule(self) -> list[z3.ArithRef]:
        """Who goes, by step."""
        return [z3.Int(f"goes{number}") for number in range(self.steps)]

    @property
    def possible(self) -> z3.BoolRef:
        """Each step is one of the two workers'."""
        return z3.And([z3.And(0 <= worker, worker <= 1) for worker in self.schedule])

    @property
    def end(self) -> State:
        """The state after it."""
        return after(self.encoding, self.schedule)
