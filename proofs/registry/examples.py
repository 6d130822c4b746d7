"""Limits of time for examples: in ms of a run, and in ticks of ten seconds of an exploration."""

from dataclasses import dataclass

from rebalance_proofs.model.registry.limits import DEFAULTS, Limits

__all__ = ["FEW", "SHIPPED", "Example"]


@dataclass(frozen=True)
class Example:
    """The same limits, twice."""

    limits: Limits
    """In ms."""
    ticks: Limits
    """In ticks, rounded up."""
    end: int
    """So many ticks one looks."""


SHIPPED = Example(DEFAULTS, Limits(beat=3, expired=12, scan=1, collect=2, poll=3), 15)
"""In which runs are found that people are shown."""
FEW = Example(
    Limits(beat=10_000, expired=20_000, scan=10_000, collect=10_000, poll=10_000),
    Limits(beat=1, expired=2, scan=1, collect=1, poll=1),
    5,
)
"""In which none is found where a claim is proved, and one for each encoding that is wrong: with limits as shipped there
are a hundred times as many states, and a run has a scan in each of thirteen ticks. The end is two ticks after a channel
without heartbeats has gone."""
