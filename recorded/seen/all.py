"""Find all problems in a run."""

from collections import defaultdict
from collections.abc import Iterator

from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.groups.broker import Key, Table, offset_of
from rebalance_proofs.recorded.seen.facts import SHORTEST, Back, Fact, Never, Overlap, Twice, pauses
from rebalance_proofs.recorded.seen.history import Call, History

# Find messages that were stored and wanted by a group, but reached none of its listeners.

GRACE = 25_000
"""Messages of an interrupted run's last ms are ignored: they had no time to be consumed."""


def never(history: History) -> Iterator[Never]:
    """Yield unconsumed messages, for each group with a consumer that ran to the end."""
    latest = history.end if history.waited else history.end - GRACE
    for group, members in history.groups.items():
        if not any(who in history.joined and who not in history.left for who in members):
            continue
        begun = {key for call in history.calls[group] for key in call.keys}
        moving = {call.q for call in history.calls[group] if call.end >= latest}
        for key, sent in history.sent.items():
            wanted = {sent.tag, "*"} & history.wanted(group, topic_of(sent.q))
            if key in begun or sent.at > latest or not wanted:
                continue
            skipped = (history.committed(group, sent.q) or 0) > sent.offset
            if skipped or sent.q not in moving:
                yield Never(group, sent.q, sent, skipped)


# Find offset rollbacks in a recorded run.


def backs(history: History) -> Iterator[Back]:
    """Yield each decrease of a committed offset in a broker's table, also across restarts."""
    for broker in history.run.brokers:
        last: dict[Key, int] = {}
        for row in history.of(Table, broker):
            offset = offset_of(row)
            if offset is None:
                continue
            now = None if row.is_ is None else int(row.is_)
            was = last.get(offset)
            if was is not None and (now is None or now < was) and offset.group in history.groups:
                yield Back(offset.group, offset.q, row.at, broker, was, now)
            if now is None:
                last.pop(offset, None)
            else:
                last[offset] = now


# Find ordered listeners of one group that ran on one queue at the same time.


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


# Find messages that a group's listeners received more than once.


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


def seen(history: History, shortest_pause: int = SHORTEST) -> list[Fact]:
    """Return all problems of a run, sorted by kind and time.

    ``shortest_pause``: shortest reported pause in ms.
    """
    found: list[list[Fact]] = [
        [*twice(history)],
        [*never(history)],
        [*overlaps(history)],
        [*pauses(history, shortest_pause)],
        [*backs(history)],
    ]
    return [fact for kind in found for fact in sorted(kind, key=lambda fact: (fact.at, fact.q))]
