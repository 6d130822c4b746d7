"""Check that each list of consumer ids from a broker matches the group's members."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping

from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups import broker as b
from rebalance_proofs.recorded.groups.event import LIST


def lists(trace: Trace, calls: Calls, broker: str, tally: Tally) -> None:
    """Check that each returned list matches the members that polls of the broker show.

    The polls before and after the request count. Raises ``Unexplained``.
    """
    rows = _rows(trace, broker)
    asked = {
        call.answered.row: call.ask.at
        for of in calls.all.values()
        for call in of
        if call.answered and call.ask.code == LIST and call.broker == broker
    }
    for event in trace.kind(b.Answered, broker):
        if event.code != LIST or event.asked.consumer_group not in rows:
            continue
        times, values = rows[event.asked.consumer_group or ""]
        since = min(asked.get(event.row, event.at), event.at - LOOK)
        first = max(bisect_right(times, since) - 1, 0)
        near = values[first : bisect_right(times, event.at + STALL)]
        tally.shown["list"] += 1
        tally.events += 1
        said = frozenset(event.said.ids or ())
        # Between two polls, a member's old connection may be removed before its new one is added.
        if not any(_ids(one & other) <= said <= _ids(one | other) for one in near for other in near):
            listed = " or ".join(str(sorted(_ids(one))) for one in near)
            raise Unexplained(event, f"the broker answers {sorted(said)}, but has {listed}")


def _rows(trace: Trace, broker: str) -> Mapping[str, tuple[list[int], list[frozenset[b.Member]]]]:
    found: defaultdict[str, tuple[list[int], list[frozenset[b.Member]]]] = defaultdict(lambda: ([0], [frozenset()]))
    for event in trace.of[broker]:
        if isinstance(event, b.BrokerStarting):
            for times, values in found.values():
                times.append(event.at)
                values.append(frozenset())
        elif isinstance(event, b.Table) and event.what == "members":
            times, values = found[event.of]
            times.append(event.at)
            values.append(frozenset(b.members(event.is_)))
    return found


def _ids(members: Iterable[b.Member]) -> frozenset[str]:
    return frozenset(one.client_id for one in members)
