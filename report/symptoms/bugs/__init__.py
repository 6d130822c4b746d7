"""All known bugs, by subject. To add a bug, add an entry to the subject's file."""

from collections.abc import Mapping

from rebalance_proofs.report.symptoms.bug import Bug
from rebalance_proofs.report.symptoms.bugs import lists, locks, offsets, pulls, registry, subscriptions, table, thread

__all__ = ["BUGS", "ROOMS"]

ROOMS: Mapping[str, tuple[Bug, ...]] = {
    "Queue allocation": lists.BUGS,
    "The client's processQueueTable": table.BUGS,
    "Ordered consumption": locks.BUGS,
    "Offsets": offsets.BUGS,
    "Pull requests": pulls.BUGS,
    "Group subscriptions": subscriptions.BUGS,
    "The broker's consumer registry": registry.BUGS,
    "The rebalance thread": thread.BUGS,
}
BUGS = tuple(bug for room in ROOMS.values() for bug in room)
