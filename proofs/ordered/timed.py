"""Runs of two ordered consumers whose times are terms of the limits."""

from typing import Any

from rebalance_proofs.model.machine.happens import Happens
from rebalance_proofs.model.machine.values import If, Int
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Ordered
from rebalance_proofs.proofs.machine.unrolling import unrolled
from rebalance_proofs.proofs.ordered.circumstances import Circumstances
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION, happens
from rebalance_proofs.proofs.unrolling import Unrolling

Time = Int
Timed = tuple[tuple[Happens, Time], ...]
"""A sequence of actions, each with its time."""


def later_of(one: Time, other: Time) -> Time:
    """Return the later one of two times."""
    return If(one > other, one, other)


def sooner_of(one: Time, other: Time) -> Time:
    """Return the earlier one of two times."""
    return If(one < other, one, other)


def first_pull(client: OrderedClient, limits: Limits) -> Time:
    """Return the time from the addition of a process queue to its first pull."""
    return limits.first_pull if client.pulls_later else 0


def begins(
    who: int, client: OrderedClient, world: Circumstances, limits: Limits, granted: Time, stamped: Time
) -> Timed:
    """Return a consumer's actions from an empty table to the lock and messages to consume.

    The broker grants the lock at ``granted``; the consumer records the lock at ``stamped``.
    """
    locks, adds, pulls = happens(who, "locks", True), happens(who, "adds", True), happens(who, "pulls")
    pulled = stamped + first_pull(client, limits)
    if client.rebalance.new_locked:
        return ((locks, granted), (adds, stamped), (pulls, pulled))
    # A new process queue that is not locked waits for the first renewal.
    renews, renewed = happens(who, "renews", True), happens(who, "renewed")
    if world.renewed:
        # The delay may exceed the renewal limit: then an earlier process queue has asked for this renewal.
        return ((locks, granted), (renews, granted), (adds, stamped), (renewed, stamped), (pulls, pulled))
    return ((locks, granted), (adds, granted), (renews, granted), (renewed, stamped), (pulls, pulled))


def reached(
    client: OrderedClient, encoding: Any, world: Circumstances, limits: Limits, timed: Timed
) -> Unrolling[Ordered, Limits]:
    """Return the unrolling of a run: its constraints, and the states that it reaches."""
    schedule, times = zip(*timed, strict=True)
    return unrolled(CONFIGURATION, client, encoding, world, limits, schedule, times)
