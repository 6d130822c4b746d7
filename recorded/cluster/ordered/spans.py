"""Requests that changed a queue's lock at a broker, with their times of arrival and answer."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.broker import Answered, Heard
from rebalance_proofs.recorded.groups.codes import LOCK, UNLOCK

Spans = Mapping[tuple[str, str], Sequence[tuple[int, int, str | None]]]
"""(group, queue) -> requests, as (arrival in ms, answer in ms, lock holder afterwards)."""


def spans(trace: Trace) -> Spans:
    """Return the requests of a run that changed a lock, by (group, queue)."""
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
