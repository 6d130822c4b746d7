"""Requests that have changed a queue's lock at a broker: from when to when it worked on each."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.broker import Answered, Heard
from rebalance_proofs.recorded.groups.codes import LOCK, UNLOCK

__all__ = ["Spans", "spans"]

Spans = Mapping[tuple[str, str], Sequence[tuple[int, int, str | None]]]
"""Group and queue -> requests that have changed its lock: when each was heard and answered, and who had it then."""


def spans(trace: Trace) -> Spans:
    """Those of a run."""
    found: defaultdict[tuple[str, str], list[tuple[int, int, str | None]]] = defaultdict(list)
    for broker in trace.brokers:
        heard: dict[tuple[str, int], int] = {}
        for event in trace.of[broker]:
            if isinstance(event, Heard) and event.code in (LOCK, UNLOCK):
                heard[event.from_, event.opaque] = event.at
            elif isinstance(event, Answered) and event.code in (LOCK, UNLOCK):
                since = heard.get((event.from_, event.opaque), event.at)
                holder = event.asked.client_id if event.code == LOCK else None
                for q in event.said.granted or () if event.code == LOCK else event.asked.queues:
                    found[event.asked.consumer_group or "", q].append((since, event.at, holder))
    return found
