"""Runs of two ordered consumers whose times are terms of the limits."""

from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.copies import OTHER, seen_as
from rebalance_proofs.model.machine.happens import Happens
from rebalance_proofs.model.machine.record import flags, shared
from rebalance_proofs.model.machine.values import If, Int
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Ordered
from rebalance_proofs.proofs.machine.configuration import part
from rebalance_proofs.proofs.machine.unrolling import unrolled
from rebalance_proofs.proofs.obligation import made_once
from rebalance_proofs.proofs.ordered.circumstances import Circumstances
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION, happens
from rebalance_proofs.proofs.unrolling import Unrolling

# Unknowns and states of two consumers of one queue, which share the lock.

OWN = tuple(name for name in CONFIGURATION.own if name not in shared(Ordered))
OTHERS = tuple(f"other_{name}" for name in OWN)
"""Names of the unknowns of the second consumer's state."""
OTHERS_FLAGS = tuple(f"other_{name}" for name in OWN if name in flags(Ordered))


def one(v: SimpleNamespace) -> Ordered:
    """Return the first consumer's state, made of the unknowns in ``v``."""
    return CONFIGURATION.given(v)[0]


@made_once
def other(v: SimpleNamespace) -> Ordered:
    """Return the second consumer's state, from its own viewpoint.

    If the second consumer holds the lock, its own state names itself as the holder; the first consumer's state names
    another consumer (``OTHER``).
    """
    return one(v).but(**part(Ordered, v, OWN, "other_{}".format), holder=seen_as(v.holder, OTHER))


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
