"""Measurement of a function's time, over several runs."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True)
class Timing:
    """The seconds of several runs."""

    runs: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median, in seconds: the figure to quote."""
        return median(self.runs)

    def __str__(self) -> str:
        low, middle, high = (seconds(value) for value in (min(self.runs), self.median, max(self.runs)))
        return f"{middle} ({low} to {high})"


def seconds(value: float) -> str:
    """A time in seconds as a text, in s, ms or µs."""
    if value >= 1:
        return f"{value:.1f} s"
    return f"{value * 1e3:.1f} ms" if value >= 1e-3 else f"{value * 1e6:.0f} µs"


def parsed(text: str) -> float:
    """The seconds of a text that ``seconds`` made."""
    number, unit = text.split()
    return float(number) * {"s": 1.0, "ms": 1e-3, "µs": 1e-6}[unit]


def measure(function: Callable[[], object], runs: int = 5, warm_up: int = 1) -> Timing:
    """The times of ``runs`` runs, after ``warm_up`` others that are not counted."""
    taken = []
    for _ in range(warm_up + runs):
        start = perf_counter()
        function()
        taken.append(perf_counter() - start)
    return Timing(tuple(taken[warm_up:]))
