"""Possible causes of two ordered listeners on one queue, the most specific first."""

from collections.abc import Iterator

from rebalance_proofs.recorded.groups.codes import UNLOCK
from rebalance_proofs.recorded.groups.member import Unsubscribed
from rebalance_proofs.recorded.seen.facts import Overlap
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live.signs import LOOK, down, heard, meets, one_id

EXPIRES = 60_000
"""Time in ms after which a broker's lock expires without renewal."""
TAKEN = ("rebalance", "remove")
"""Recorded names of the removal of a process queue by a rebalance: up to 4.9, and from 5.0 on."""


def of_overlap(history: History, fact: Overlap) -> Iterator[str]:
    """Yield names of causes of the overlap.

    No known cause explains it if the broker should have denied the second consumer the lock.
    """
    first, second = fact.first, fact.second
    if first.who == second.who:
        return
    if one_id(history, first.who, second.who):
        yield "same-client-id-ordered"
        return
    for leaving in (first.who, second.who):
        since = history.shut_down.before(leaving, second.begin)
        if since is not None:
            yield "shut-down-under-listener"
    if meets(down(history, fact.q), first.begin - EXPIRES, second.begin):
        yield "broker-restarted"
    if any(first.begin - EXPIRES <= each.at <= second.begin for each in history.of(Unsubscribed, first.who)):
        yield "unsubscribed-under-listener"
    entry = history.holds(fact.group, first.who, fact.q, first.begin)
    if entry:
        # while its listener ran or, if its consumer does not know it, before the listener was called
        under = list(heard(history, UNLOCK, first.who, fact.group, fact.q, entry.begin, second.begin))
        if under and entry.how in TAKEN and abs(entry.end - under[-1].at) <= LOOK:
            yield "forced-unlock"
        elif under:
            yield "delayed-unlock"
    stood = (*history.stopped.get(first.who, ()), *history.gaps.get(first.who, ()))
    if second.begin - first.begin >= EXPIRES or meets(stood, first.begin - EXPIRES, second.begin):
        yield "slow-listener"
