"""Proof that the time limit for settling is sharp: a run can take that long.

The run exists for all limits.
"""

from collections.abc import Iterator
from itertools import product

from rebalance_proofs.model.machine.happens import Happens
from rebalance_proofs.model.machine.values import Bool, Int, Not
from rebalance_proofs.model.settling.clients import SettlingClient
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.machine import Service
from rebalance_proofs.model.settling.spans import settled
from rebalance_proofs.proofs.machine.configuration import OBSERVES
from rebalance_proofs.proofs.machine.unrolling import Timed, reaches
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.settling.configuration import CONFIGURATION
from rebalance_proofs.proofs.settling.notices import SUCCEEDS

__all__ = ["as_long"]

happens = CONFIGURATION.happens


Actions = tuple[Happens, ...]


def _wait(client: SettlingClient, *, idle: bool) -> tuple[Actions, Actions]:
    """Return the actions at the start and at the end of a wait without a wake-up.

    ``idle``: a wait of 0 ms, for which a thread with ``park`` does not park.
    """
    looks, checks, ends = happens("looks"), happens("checks"), (happens("wakes"), happens("clears"))
    if not client.parks:
        return (looks, happens("resets")), ends
    return (looks, checks), ends[1:] if idle else (ends[0], checks, ends[1])


def _waits(
    client: SettlingClient, since: Int, limits: Limits, *, postponed: bool, idle: bool
) -> tuple[list[tuple[Happens, Int]], Int]:
    """Return the actions between two rebalances without a wake-up, with times.

    The second result is the start of the second rebalance. ``postponed``: the wait is shorter than minInterval.
    """
    over, (start, end) = since + limits.wait, _wait(client, idle=idle)
    found = [*((one, since) for one in start), *((one, over) for one in end)]
    if postponed:
        later, (start, end) = since + limits.least, _wait(client, idle=False)
        found += [*((one, over) for one in (happens("postpones"), *start)), *((one, later) for one in end)]
        over = later
    return [*found, (happens("begins"), over)], over


def _timed(client: SettlingClient, limits: Limits, *, postponed: bool, idle: bool) -> Timed:
    """Return the run, with times: the change comes just after a rebalance has begun.

    Its notification is lost.
    """
    first, began = _waits(client, 0, limits, postponed=postponed, idle=idle)
    ended = began + limits.loop
    second, again = _waits(client, ended, limits, postponed=postponed, idle=idle)
    lost = [(happens("changes"), began), (happens("loses"), began), (happens("ends", False, True), ended)]
    return [*first, *lost, *second, (happens(OBSERVES), again + limits.loop)]


def as_long(client: SettlingClient) -> Obligation:
    """Return the obligation that a run reaches the time limit.

    The rebalance that uses the change still runs at the end of the run.
    """

    def ways(limits: Limits) -> Iterator[Timed]:
        for postponed, idle in product((False, True) if client.least else (False,), (False, True)[: 1 + client.parks]):
            yield _timed(client, limits, postponed=postponed, idle=idle)

    def unseen(s: Service, lim: Limits) -> tuple[Bool, ...]:
        return s.now == s.change + settled(client).of(lim), Not(s.right)

    sentence = (
        "A change comes just after the start of a rebalance, which misses the change, and no notification arrives."
    )
    return reaches(CONFIGURATION, client, SUCCEEDS, "as-long", sentence, ways, unseen)
