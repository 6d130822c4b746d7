"""Limits of time for examples: in ms of a counterexample, and in ticks of an exploration."""

from rebalance_proofs.model.subscriptions.limits import DEFAULTS, Limits

__all__ = ["DEFAULTS", "TICKS"]

TICKS = Limits(period=3, beat=1, retry=1, apart=4)
"""A heartbeat takes less than the period."""
