"""Limits of time for examples: in ms of a counterexample, and in ticks of an exploration."""

from rebalance_proofs.model.settling.limits import DEFAULTS, Limits

__all__ = ["DEFAULTS", "TICKS"]

TICKS = Limits(wait=6, least=1, loop=2)
"""Each is another number, and none is nothing."""
