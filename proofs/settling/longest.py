"""Proof that the time limit for settling is sharp: a run can take that long.

The run exists for all limits.
"""

from collections.abc import Iterator

from rebalance_proofs.model.machine.values import Bool, Int, Not
from rebalance_proofs.model.settling.clients import SettlingClient
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.machine import Service
from rebalance_proofs.model.settling.spans import settled
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.machine.configuration import OBSERVES
from rebalance_proofs.proofs.machine.unrolling import Timed, reaches
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.settling.configuration import CONFIGURATION
from rebalance_proofs.proofs.settling.notices import SUCCEEDS

__all__ = ["as_long"]

happens = CONFIGURATION.happens


def _waits(since: Int, limits: Limits, *, postponed: bool) -> tuple[list[tuple[Happens, Int]], Int]:
    """Return the actions between two rebalances without a wake-up, with times.

    The second result is the start of the second rebalance. ``postponed``: the wait is shorter than minInterval.
    """
    over = since + limits.wait
    found = [(happens("looks"), since), (happens("resets"), since), (happens("wakes"), over), (happens("clears"), over)]
    if postponed:
        later = since + limits.least
        again = (happens("postpones"), happens("looks"), happens("resets"))
        found += [*((one, over) for one in again), (happens("wakes"), later), (happens("clears"), later)]
        over = later
    return [*found, (happens("begins"), over)], over


def _timed(limits: Limits, *, postponed: bool) -> Timed:
    """Return the run, with times: the change comes just after a rebalance has begun.

    Its notification is lost.
    """
    first, began = _waits(0, limits, postponed=postponed)
    ended = began + limits.loop
    second, again = _waits(ended, limits, postponed=postponed)
    lost = [(happens("changes"), began), (happens("loses"), began), (happens("ends", False, True), ended)]
    return [*first, *lost, *second, (happens(OBSERVES), again + limits.loop)]


def as_long(client: SettlingClient) -> Obligation:
    """Return the obligation that a run reaches the time limit.

    The rebalance that uses the change still runs at the end of the run.
    """

    def ways(limits: Limits) -> Iterator[Timed]:
        for postponed in (False, True) if client.least else (False,):
            yield _timed(limits, postponed=postponed)

    def unseen(s: Service, lim: Limits) -> tuple[Bool, ...]:
        return s.now == s.change + settled(client).of(lim), Not(s.right)

    sentence = (
        "A change comes just after the start of a rebalance, which misses the change, and no notification arrives."
    )
    return reaches(CONFIGURATION, client, SUCCEEDS, "as-long", sentence, ways, unseen)
