"""Estimate of the time that a command still needs."""

from collections.abc import Callable
from time import perf_counter

ENOUGH = 0.1
"""Share of the expected cost that must be done before an estimate is printed.

The first steps are not typical.
"""
LEAST = 5.0
"""Seconds that must pass before an estimate is printed."""
SLACK = 0.25
"""Threshold for a higher printed estimate, as a part of a rounding step.

The estimate must be beyond the middle of two rounding steps by this part, so that the printed time does not alternate.
"""


class Remaining:
    """Time left in work whose steps have different expected costs.

    A cost is the time that the step took when it was measured, in seconds. This run may be slower or faster by a
    constant factor, which the estimator measures as it goes: time passed divided by the cost done.
    """

    def __init__(self, total: float, clock: Callable[[], float] = perf_counter) -> None:
        self._total, self._clock, self._start = total, clock, clock()
        self._done = 0.0
        self._minutes: int | None = None
        self.left: float | None = None
        """Estimated seconds left after the last step; None if too little is known, and at the end."""

    def advance(self, cost: float) -> None:
        """Count one step with this expected cost as done."""
        self._done += cost
        passed, rest = self._clock() - self._start, self._total - self._done
        enough = self._done >= ENOUGH * self._total and passed >= LEAST
        self.left = passed / self._done * rest if enough and rest > 0 else None
        self._minutes = None if self.left is None else self._rounded(self.left / 60)

    def _rounded(self, minutes: float) -> int:
        """Round to whole minutes, or from 10 min on to multiples of 5.

        For a small increase, the result stays the same.
        """
        unit = 5 if minutes >= 10 else 1
        found = unit * round(minutes / unit)
        before = self._minutes
        if before is not None and before < found and minutes < before + (5 if before >= 10 else 1) * (0.5 + SLACK):
            return before
        return found

    @property
    def words(self) -> str:
        """The estimate in words: ``about 4 min left``; empty without an estimate."""
        if self._minutes is None:
            return ""
        return f"about {self._minutes} min left" if self._minutes else "under 1 min left"
