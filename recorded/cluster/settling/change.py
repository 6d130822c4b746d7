"""The last membership change during a process's life.

Later lists of consumer ids are all equal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.recorded.cluster.trace import LOOK, Trace
from rebalance_proofs.recorded.groups.broker import Table, members
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import ShutdownBegin


@dataclass(frozen=True)
class Change:
    """A change of the members that a broker lists."""

    since: int
    until: int
    """End of the interval in ms, between two polls of the broker, in which the change happened."""
    ids: tuple[str, ...]
    """The consumer ids that clients receive after the change."""


def last_change(trace: Trace, who: str, life: Sequence[Event]) -> Change | None:
    """Return the last membership change in the life of a process.

    ``who``: its name; ``life``: its events. Return None if there are several brokers, or no change.
    """
    if len(trace.brokers) != 1:
        return None
    first = life[0].at
    end = min([event.at for event in life if isinstance(event, ShutdownBegin)], default=life[-1].at)
    rows = [
        row
        for row in trace.kind(Table, trace.brokers[0])
        if row.what == "members" and row.of == trace.consumers[who].group
    ]
    changes = [row for row in rows if first < row.at < end and _ids(row.was) != _ids(row.is_)]
    if not changes or changes[-1].is_ is None:
        return None
    last = changes[-1]
    return Change(last.at - LOOK - WRITTEN, last.at, _ids(last.is_))


WRITTEN = 200
"""Longest time in ms from a poll to its event on a machine that is not overloaded.

If it takes longer, the limit is extended.
"""


def _ids(row: str | None) -> tuple[str, ...]:
    return tuple(sorted(one.client_id for one in members(row)))
