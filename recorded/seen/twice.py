"""Find messages that a group's listeners received more than once."""

from collections import defaultdict
from collections.abc import Iterator

from rebalance_proofs.recorded.seen.calls import Call
from rebalance_proofs.recorded.seen.facts import Twice
from rebalance_proofs.recorded.seen.history import History


def twice(history: History) -> Iterator[Twice]:
    """Yield one problem for each repeated delivery of a message.

    Messages are identified by their keys.
    """
    for group, calls in history.calls.items():
        before: defaultdict[str, list[Call]] = defaultdict(list)
        for call in calls:
            for key, offset in zip(call.keys, call.offsets, strict=True):
                if before[key]:
                    yield Twice(group, call.q, offset, before[key][-1], call)
                before[key].append(call)
