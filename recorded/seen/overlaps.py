"""Find ordered listeners of one group that ran on one queue at the same time."""

from collections import defaultdict
from collections.abc import Iterator

from rebalance_proofs.recorded.seen.calls import Call
from rebalance_proofs.recorded.seen.facts import Overlap
from rebalance_proofs.recorded.seen.history import History


def overlaps(history: History) -> Iterator[Overlap]:
    """Yield each pair of calls of ordered listeners that ran on one queue at the same time.

    Concurrent listeners are ignored: RocketMQ does not guarantee that they do not overlap.
    """
    for group, calls in history.calls.items():
        if not history.ordered(group):
            continue
        running: defaultdict[str, list[Call]] = defaultdict(list)
        for call in calls:
            left = [other for other in running[call.q] if other.end > call.begin]
            for other in left:
                yield Overlap(group, call.q, other, call)
            running[call.q] = [*left, call]
