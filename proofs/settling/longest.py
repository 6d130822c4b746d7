"""That no shorter time is enough to settle: a run that takes so long, whatever the limits are."""

from collections.abc import Iterator
from types import SimpleNamespace

import z3

from rebalance_proofs.model.settling.actions import SettlingEncoding, period
from rebalance_proofs.model.settling.clients import SettlingClient
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.settling.inductive import possible
from rebalance_proofs.proofs.settling.notices import SUCCEEDS
from rebalance_proofs.proofs.settling.schedule import OBSERVES, happens
from rebalance_proofs.proofs.settling.situation import situation
from rebalance_proofs.proofs.settling.variables import LIMITS, limits_of

__all__ = ["obligations"]

Timed = list[tuple[Happens, z3.ArithRef]]
"""What happens, and when."""


def _waits(since: z3.ArithRef, limits: Limits, *, postponed: bool) -> tuple[Timed, z3.ArithRef]:
    """From the end of a rebalance to the beginning of the next one, which nothing hastens; and when that is.

    ``postponed``: the wait is shorter than the least interval.
    """
    over = since + limits.wait
    found: Timed = [(happens("looks"), since), (happens("resets"), since), (happens("wakes"), over)]
    found += [(happens("clears"), over)]
    if postponed:
        later = since + limits.least
        again = (happens("postpones"), happens("looks"), happens("resets"))
        found += [*((one, over) for one in again), (happens("wakes"), later), (happens("clears"), later)]
        over = later
    return [*found, (happens("begins"), over)], over


def _timed(limits: Limits, *, postponed: bool) -> Timed:
    """The change comes when a rebalance has just begun, and its notification is lost."""
    first, began = _waits(z3.IntVal(0), limits, postponed=postponed)
    ended = began + limits.loop
    second, again = _waits(ended, limits, postponed=postponed)
    lost = [(happens("changes"), began), (happens("loses"), began), (happens("ends", False, True), ended)]
    return [*first, *lost, *second, (happens(OBSERVES), again + limits.loop)]


def obligations(client: SettlingClient) -> Iterator[Obligation]:
    """One: that run is possible, and the rebalance that sees the change is still under way when the time is over."""

    def state(e: SettlingEncoding, v: SimpleNamespace) -> Statement:
        limits, ways = limits_of(v), []
        for postponed in (False, True) if client.least else (False,):
            schedule, times = zip(*_timed(limits, postponed=postponed), strict=True)
            found = situation(e, SUCCEEDS, limits, schedule, times)
            me, now = found.state.me, found.state.now
            over = now == me.change + 2 * limits.loop + period(limits, least=client.least)
            ways.append(z3.And(*found.constraints.values(), over, z3.Not(me.right)))
        return Statement(possible(limits), z3.Or(ways) if len(ways) > 1 else ways[0])

    sentence = "A change comes when a rebalance has just begun, which does not see it, and nobody tells of it."
    yield Obligation("as-long", sentence, LIMITS, state)
