"""The last change of a group's members in a process's life: what it is told when it asks is the same from then on."""

from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.recorded.cluster.trace import LOOK, Trace
from rebalance_proofs.recorded.groups.broker import Table, members
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import ShutdownBegin

__all__ = ["Change", "last_change"]


@dataclass(frozen=True)
class Change:
    """A change of the members that a broker lists."""

    since: int
    until: int
    """It was between two looks, by the broker's file: from when, and until when, in ms."""
    ids: tuple[str, ...]
    """The ids that a client is told from then on."""


def last_change(trace: Trace, who: str, life: Sequence[Event]) -> Change | None:
    """The last one of the process's life; None where several brokers can be asked, or nothing changed."""
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
"""What a look has seen is written so many ms later at most, on a machine that is not overloaded; else it is widened."""


def _ids(row: str | None) -> tuple[str, ...]:
    return tuple(sorted(one.client_id for one in members(row)))
