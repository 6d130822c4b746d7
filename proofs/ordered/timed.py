"""Runs whose times are terms of the limits."""

import z3

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.ordered.circumstances import Circumstances
from rebalance_proofs.proofs.ordered.schedule import happens
from rebalance_proofs.proofs.ordered.situation import Situation, situation

__all__ = ["Timed", "begins", "reached"]

Timed = tuple[tuple[Happens, z3.ArithRef], ...]
"""What happens, and when."""


def begins(who: int, client: OrderedClient, world: Circumstances, granted: z3.ArithRef, stamped: z3.ArithRef) -> Timed:
    """From nothing to the lock's stamp, and messages to consume."""
    locks, adds, pulls = happens(who, "locks", True), happens(who, "adds", True), happens(who, "pulls")
    if client.rebalance.new_locked:
        return ((locks, granted), (adds, stamped), (pulls, stamped))
    # Such an entry waits for the first renewal.
    renews, renewed = happens(who, "renews", True), happens(who, "renewed")
    if world.renewed:
        # The delay may be longer than the limit for renewals: then that one was asked for by an earlier entry.
        return ((locks, granted), (renews, granted), (adds, stamped), (renewed, stamped), (pulls, stamped))
    return ((locks, granted), (adds, granted), (renews, granted), (renewed, stamped), (pulls, stamped))


def reached(encoding: OrderedEncoding, world: Circumstances, limits: Limits, timed: Timed) -> Situation:
    """What is asked of it, and what is so in the end."""
    schedule, times = zip(*timed, strict=True)
    return situation(encoding, world, limits, schedule, times)
