"""Limits of time for examples: in ms of a counterexample, and in ticks of an exploration."""

from dataclasses import replace

from rebalance_proofs.model.subscriptions.limits import DEFAULTS, Limits
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.subscriptions.members import Members

__all__ = ["DEFAULTS", "TICKS", "shown", "ticks"]

TICKS = Limits(period=3, beat=1, retry=1, apart=4, delay=1)
"""A heartbeat takes less than the period."""


def shown(world: Members) -> Limits:
    """In ms, as shipped; a heartbeat takes 0.4 s at most where it has to be over before first pulls."""
    return replace(DEFAULTS, beat=400) if world.soon else DEFAULTS


def ticks(claim: Claim) -> Limits:
    """The same in ticks. Where three heartbeats have to come before anything is wrong, they are less apart."""
    if claim.world.alone and claim.holds:
        return replace(TICKS, period=2, apart=3)
    return replace(TICKS, delay=2) if claim.world.soon else TICKS
