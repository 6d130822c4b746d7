"""Findings about queues that two consumers owned at once, or that no consumer owned."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import TypeVar

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.group import ALIVE, SILENT, Group, both, phrase
from rebalance_proofs.recorded.audit.log import Times, clipped, intersection
from rebalance_proofs.recorded.audit.told import Event, Member, Span, View, Where
from rebalance_proofs.recorded.logs.fact import Kind, Queue

Dated = TypeVar("Dated", Event, View)
DISTURBED = 120_000
"""Longest time in ms between failed requests and the time when a queue has no owner because of them."""
SOON = 50
"""How many later ownership intervals of a queue are searched for its next owner."""


def _finding(
    what: What,
    level: Level,
    group: Group,
    members: tuple[str, ...],
    interval: Interval,
    detail: str,
    causes: tuple[str, ...],
    evidence: Sequence[Where],
) -> Finding:
    topic = interval.queue[0] if interval.queue else ""
    places = tuple(dict.fromkeys(one for one in evidence if one[0]))
    return Finding(what, level, group.name, topic, members, (interval,), detail, causes, places)


def two(group: Group) -> Iterator[Finding]:
    """Yield findings about queues that two consumers had in their process queue tables at once."""
    for queue, spans in group.spans.items():
        open_: list[Span] = []
        for later in spans:
            open_ = [one for one in open_ if one.end > later.begin]
            for earlier in open_:
                if earlier.member != later.member:
                    yield from _both(group, queue, earlier, later)
            open_.append(later)


def _both(group: Group, queue: Queue, earlier: Span, later: Span) -> Iterator[Finding]:
    logs = earlier.member[1], later.member[1]
    tolerance = group.tolerance(*logs)
    begin, end = max(earlier.begin, later.begin), min(earlier.end, later.end)
    if end - begin <= tolerance:
        return
    live = intersection(clipped(group.heard(logs[0]), begin, end), clipped(group.heard(logs[1]), begin, end))
    longest = max((until - at for at, until in live), default=0)
    members = group.told(earlier.member), group.told(later.member)
    evidence = (later.first, earlier.last, earlier.first, later.last)
    same = earlier.member[0] == later.member[0]
    causes = ("same-client-id",) if same else _why(group, earlier)
    if longest > tolerance and group.sure_clocks(*logs):
        for at, until in live:
            if until - at > tolerance:
                detail = phrase("both own the queue, and both log lines in this time")
                yield _finding(
                    What.TWO, Level.SEEN, group, members, Interval(queue, at, until), detail, causes, evidence
                )
        return
    unsure = group.unsure(*logs) if longest > tolerance else phrase("one of them logs nothing in this time")
    if longest <= tolerance and not _comes_back(group, earlier, later, begin, end):
        return
    yield _finding(What.TWO, Level.POSSIBLE, group, members, Interval(queue, begin, end), unsure, causes, evidence)


def _comes_back(group: Group, earlier: Span, later: Span, begin: int, end: int) -> bool:
    """Return True if a silent consumer logs lines again while it still owns the queue.

    Then the consumer owned the queue during its silence, too.
    """
    return all(
        one.ends or any(at <= one.end <= until and until > begin for at, until in group.heard(one.member[1]))
        for one in (earlier, later)
    ) and any(until >= end for at, until in group.heard(earlier.member[1]))


def _why(group: Group, earlier: Span) -> tuple[str, ...]:
    if len(group.strategies) > 1:
        return ("strategies-differ", "hand-over")
    return ("hand-over-ordered", "lost-notification") if group.ordered else ("hand-over", "lost-notification")


def listeners(group: Group) -> Iterator[Finding]:
    """Yield findings about listeners that still ran when another consumer had the queue."""
    for queue, spans in group.spans.items():
        for place, span in enumerate(spans):
            if span.worked is None:
                continue
            later = _next(spans[place + 1 : place + 1 + SOON], span, span.worked)
            if later is None:
                continue
            if span.worked - later.begin <= group.bound(span.member[1], later.member[1]):
                continue
            level = Level.SEEN if group.sure_clocks(span.member[1], later.member[1]) else Level.POSSIBLE
            detail = (
                phrase("the first consumer's listener ended after the second had added the queue")
                if span.counted
                else phrase(
                    "the first consumer did not record the result of some messages, so the second gets them again"
                )
            )
            causes = ("slow-listener", "hand-over-ordered") if span.counted else ("hand-over",)
            yield _finding(
                What.LISTENERS,
                level,
                group,
                (group.told(span.member), group.told(later.member)),
                Interval(queue, later.begin, span.worked),
                detail,
                causes,
                (span.last, later.first, span.worked_at),
            )


def _next(spans: Sequence[Span], before: Span, worked: int) -> Span | None:
    """Return another consumer's first ownership that begins before the old listener ends.

    ``before`` is the old owner's interval, which has ended; ``worked`` is the time when its listener returned.
    """
    own = (one for one in spans if before.end <= one.begin < worked and one.begins and one.member != before.member)
    return next(own, None)


def nobody(group: Group) -> Iterator[Finding]:
    """Yield findings about queues in no consumer's table while consumers are running."""
    alive = group.alive
    if not alive:
        return
    for topic, queues in group.queues.items():
        own = [span for queue in queues for span in group.spans.get(queue, ())]
        views = [view for view in group.views.get(topic, ()) if view.at is not None]
        if not own or not views:
            continue
        # Before the first result that counts all queues, some queues may not have existed yet.
        whole = [view.at for view in views if view.mq_all == len(queues) and view.at is not None]
        begun = min(whole, default=max(span.end for span in own))
        for queue in queues:
            yield from _without(group, queue, begun, alive)


def _without(group: Group, queue: Queue, begun: int, alive: Times) -> Iterator[Finding]:
    spans = group.spans.get(queue, [])
    if not spans:
        return
    last: Span | None = None
    reached = begun
    for span in [*spans, None]:
        begin = span.begin if span else alive[-1][1]
        if begin > reached:
            yield from _gap(group, queue, last, span, reached, begin, alive)
        if span and span.end >= reached:
            reached, last = span.end, span


def _gap(
    group: Group, queue: Queue, last: Span | None, following: Span | None, at: int, until: int, alive: Times
) -> Iterator[Finding]:
    logs = [one.member[1] for one in (last, following) if one]
    if not logs:
        return
    tolerance = group.tolerance(logs[0], logs[-1]) or group.tolerate
    meanwhile = clipped(alive, at, until)
    if last is None or following is None:
        meanwhile = [one for one in meanwhile if one[1] - one[0] > group.tolerate]
        if not meanwhile:
            return
        at, until = meanwhile[0][0], meanwhile[-1][1]
    if until - at <= tolerance or not meanwhile:
        return
    missing = _unseen(group, queue[0], at, until)
    if missing and not (last and until - at > ALIVE and _disturbed(group, at, until)):
        return
    sure = (
        (last is None or last.ends)
        and (following is None or following.begins)
        and group.sure_clocks(logs[0], logs[-1])
        and last is not None
        and not missing
    )
    if following is None and not (last and last.ends):
        return
    untold = sure and last is not None and _untold(group, queue[0], last.member, at, until)
    sure = sure and not untold
    if not sure and until - at <= SILENT:
        return
    denied = _within(group.denied.get(queue, []), at - ALIVE, until)
    crashed = last is not None and (last.lost or not last.ends)
    members = tuple(dict.fromkeys(group.told(one.member) for one in (last, following) if one))
    detail = (
        phrase("the last owner logs nothing more, and did not log that it released the queue")
        if crashed and last and not last.lost
        else phrase("the last owner's connection was closed, and it logs nothing more")
        if crashed
        else phrase("from the release by one consumer until the next one added the queue")
        if following
        else phrase("after a consumer released the queue")
    )
    if denied:
        detail = both(detail, phrase("; the broker denied its lock in this time"))
    causes = _causes(group, last, at, until, crashed=crashed, denied=bool(denied))
    twice = group.everyone and (listed := _listed(group, queue[0], at, until)) > len({one for one, _ in group.members})
    if twice:
        detail = both(
            detail, phrase("; the member list had {number} entries, because it named consumers twice", number=listed)
        )
        causes = ("second-channel", *causes[:2])
    if untold:
        detail = both(detail, phrase("; another consumer's log begins after it got its queues, and it may have had it"))
    if missing:
        detail = both(
            detail,
            phrase(
                "; a consumer without a log may have had it: the member list had {number} entries",
                number=_listed(group, queue[0], at, until),
            ),
        )
    evidence = [last.last if last else ("", 0), following.first if following else ("", 0)]
    evidence += [one.where for one in denied[:2]]
    level = Level.SEEN if sure else Level.POSSIBLE
    yield _finding(What.NOBODY, level, group, members, Interval(queue, at, until), detail, causes, evidence)


def _causes(group: Group, last: Span | None, at: int, until: int, *, crashed: bool, denied: bool) -> tuple[str, ...]:
    """Return the likely causes of a queue without an owner, by what its last owner's log shows."""
    if not denied:
        return ("host-vanished", "good-bye-lost") if crashed else ("hand-over", "lost-notification")
    if crashed:
        return ("waits-for-crashed",)
    shut = [
        one.at
        for one in (group.by_log[last.member[1]].events if last else ())
        if one.kind is Kind.SHUT and one.member == (last.member if last else None) and one.at is not None
    ]
    if any(at + group.tolerate < one <= until for one in shut):
        return ("lock-left-at-shutdown", "waits-for-shut-down", "waits-for-living")
    if any(at - ALIVE <= one <= at + group.tolerate for one in shut):
        return ("waits-for-shut-down", "lock-left-at-shutdown", "unlock-lost")
    return ("waits-for-living", "marked-until-timer", "unlock-lost")


def _listed(group: Group, topic: str, at: int, until: int) -> int:
    """Return the largest size of the member list about that time."""
    near = _within(group.views.get(topic, []), at - 2 * ALIVE, until + ALIVE)
    return max((view.cid_all for view in near), default=0)


def _disturbed(group: Group, at: int, until: int) -> bool:
    """Return whether requests failed or connections closed about the time when a queue lost its owner."""
    return any(
        one.at is not None
        and at - DISTURBED <= one.at <= min(until, at + DISTURBED)
        and (
            one.kind in (Kind.GONE, Kind.REFUSED, Kind.NO_IDS, Kind.THREW)
            or one.name in ("group-gone", "connect-failed")
        )
        for share in group.shares
        for one in share.events
    )


def _unseen(group: Group, topic: str, at: int, until: int) -> bool:
    """Return True if a consumer whose log is missing may have owned the queue between two times."""
    if (most := _listed(group, topic, at, until)) <= 1 or group.everyone:
        return False
    here = {
        member for member in group.members if clipped(group.by_log[member[1]].active, at - 4 * ALIVE, until + ALIVE)
    }
    return most > len(here)


def _untold(group: Group, topic: str, last: Member, at: int, until: int) -> bool:
    """Return True if another consumer ran between two times, and its log does not show which queues it had.

    Commits do not show them all: a client does not commit a queue whose offset it does not know yet.
    """
    return any(
        member != last
        and clipped(share.active, at, until)
        and not any(begin <= until for begin in share.begins)
        and any(one.member == member and one.queue[0] == topic and not one.begins for one in share.spans)
        and not any(one.member == member and (one.at or 0) <= until for one in group.views.get(topic, ()))
        for member in group.members
        for share in (group.by_log[member[1]],)
    )


def _within(every: Sequence[Dated], begin: int, end: int) -> Sequence[Dated]:
    """Return the events or results between two times; the given sequence is sorted by time."""
    first = bisect_left(every, begin, key=lambda one: one.at or 0)
    return every[first : bisect_right(every, end, key=lambda one: one.at or 0)]
