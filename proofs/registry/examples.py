"""Limits of time for examples: in ms of a counterexample, and in ticks of an exploration."""

from rebalance_proofs.model.registry.limits import DEFAULTS, Limits

__all__ = ["DEFAULTS", "FEW", "FEW_TICKS", "TICKS"]

TICKS = Limits(beat=3, expired=12, scan=1, collect=2, poll=3)
"""Ticks of ten seconds, in which the shortest runs are found."""
FEW = Limits(beat=1, expired=2, scan=1, collect=1, poll=1)
"""In which none is found where a claim is proved; ticks are of any length there."""
FEW_TICKS = 5
"""So long one looks then: two more than a channel without heartbeats can be listed."""
