"""Findings about consumers without a queue because the group has more members than the topic has queues."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.group import Group
from rebalance_proofs.recorded.audit.phrase import both, phrase
from rebalance_proofs.recorded.audit.told import Span, View, Where

RETRY = "%RETRY%"
"""Prefix of retry topics, which have one queue a broker, so most members have none."""
MOST_PLACES = 12
SAME_REBALANCE = 3_000
"""Longest time in ms from the removal of a queue to the result of the same rebalance."""


def surplus(group: Group) -> Iterator[Finding]:
    """Yield one finding for each topic with more members than queues; this is no fault."""
    for topic, every in group.views.items():
        if topic.startswith(RETRY):
            continue
        idle = {one.member: one for one in every if 0 < one.mq_all < one.cid_all and not one.result}
        if idle:
            yield _finding(group, sorted(idle.values(), key=lambda one: (one.at or 0, one.where)))


def _finding(group: Group, idle: Sequence[View]) -> Finding:
    """Return the finding about results without a queue; ``idle``: the last one of each such consumer."""
    words = phrase(
        "the group has {members} members and the topic {queues} queues, so {surplus} without a queue is expected, and "
        "no fault",
        members=idle[-1].cid_all,
        queues=idle[-1].mq_all,
        surplus=idle[-1].cid_all - idle[-1].mq_all,
    )
    places: list[Where] = []
    for view in idle:
        for span in _given_up(group, view):
            queue = f"{span.queue[1]} {span.queue[2]}"
            words = both(words, phrase("; {client} gave up {queue}", client=group.told(view.member), queue=queue))
            offset = _offset(group, span)
            if offset is not None:
                words = both(words, phrase(" at offset {offset}", offset=offset))
            places.append(span.last)
        places.append(view.where)
    return Finding(
        What.LINES,
        Level.SEEN,
        group.name,
        idle[0].topic,
        tuple(group.told(view.member) for view in idle),
        (Interval(None, idle[0].at, idle[-1].at),),
        words,
        ("more-consumers-than-queues",),
        tuple(dict.fromkeys(places))[:MOST_PLACES],
    )


def _given_up(group: Group, view: View) -> Sequence[Span]:
    """Return the queues that the consumer gave up in the rebalance with this result."""
    return [
        span
        for queue, own in sorted(group.spans.items())
        for span in own
        if queue[0] == view.topic
        and span.member == view.member
        and span.ends
        and view.at is not None
        and 0 <= view.at - span.end <= SAME_REBALANCE
    ]


def _offset(group: Group, span: Span) -> int | None:
    """Return the offset that the consumer committed when it gave the queue up."""
    return next(
        (
            one.last
            for one in group.by_log[span.member[1]].commits
            if one.given_up and one.queue == span.queue and abs(one.at - span.end) <= SAME_REBALANCE
        ),
        None,
    )
