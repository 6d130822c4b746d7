"""Find pauses: a message waits, but no listener of the group runs on its queue."""

from collections import defaultdict
from collections.abc import Iterator
from heapq import heappop, heappush

from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.groups.producer import Sent
from rebalance_proofs.recorded.seen.calls import Call
from rebalance_proofs.recorded.seen.facts import Pause
from rebalance_proofs.recorded.seen.history import History

STARTING = 10_000
"""Time in ms after a group's first consumer has joined that does not count as a pause."""
SHORTEST = 5_000
"""Shortest pause that is reported, in ms."""


def pauses(history: History, shortest: int = SHORTEST) -> Iterator[Pause]:
    """Yield the pauses of each group and queue that last at least ``shortest`` ms.

    No pause begins before the group's first consumer has joined.
    """
    for group, members in history.groups.items():
        there = min((history.joined[who] for who in members if who in history.joined), default=None)
        if there is None:
            continue
        calls: defaultdict[str, list[Call]] = defaultdict(list)
        for call in history.calls[group]:
            calls[call.q].append(call)
        last = max(history.left.get(who, history.end) for who in members)
        for q, sent in _sent(history, group).items():
            yield from (pause for pause in _of_queue(group, q, sent, calls[q], there, last) if pause.ms >= shortest)


def _sent(history: History, group: str) -> dict[str, list[Sent]]:
    """Return queue -> its messages that the group wants and has not skipped, sorted by time.

    Other messages do not wait for the group, so they cause no pause.
    """
    begun: defaultdict[str, int] = defaultdict(lambda: -1)
    keys: set[str] = set()
    for call in history.calls[group]:
        begun[call.q] = max(begun[call.q], *call.offsets)
        keys.update(call.keys)
    found: defaultdict[str, list[Sent]] = defaultdict(list)
    for sent in sorted(history.sent.values(), key=lambda sent: sent.at):
        if {sent.tag, "*"} & history.wanted(group, topic_of(sent.q)):
            passed = max(begun[sent.q], (history.committed(group, sent.q) or 0) - 1)
            if sent.key in keys or sent.offset > passed:
                found[sent.q].append(sent)
    return found


def _of_queue(group: str, q: str, sent: list[Sent], calls: list[Call], there: int, last: int) -> Iterator[Pause]:
    """Yield the pauses of one queue.

    ``sent``: messages that the group wants; ``calls``: listener calls. The group had consumers from ``there`` to
    ``last``, in ms.
    """
    begun: set[str] = set()
    before: Call | None = None
    busy, place = there + STARTING, 0
    waiting: list[tuple[int, str]] = []
    for call in calls:
        while place < len(sent) and sent[place].at <= call.begin:
            heappush(waiting, (sent[place].at, sent[place].key))
            place += 1
        while waiting and waiting[0][1] in begun:
            heappop(waiting)
        if waiting and call.begin > (since := max(busy, waiting[0][0])):
            yield Pause(group, q, since, call.begin, call, before)
        begun.update(call.keys)
        busy, before = (call.end, call) if call.end > busy else (busy, before or call)
    left = [one.at for one in sent if one.key not in begun]
    if left and last > (since := max(busy, left[0])):
        yield Pause(group, q, since, last, None, before)
