"""Findings about offset rollbacks: committed offsets that decreased."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What, events
from rebalance_proofs.recorded.audit.group import Group, both, phrase
from rebalance_proofs.recorded.audit.told import Commits, Event, Member, Start, Where
from rebalance_proofs.recorded.logs.fact import Kind, Queue

AGAIN = 60_000
"""Rollbacks of one queue within this many ms count as one finding."""
STUCK = ("suspended-with-old-queues", "late-commit")
"""Causes of commits of one old offset again and again."""
MOVED = 10_000
"""Longest time in ms from a change of a queue's owner to a late commit of the old owner."""
OVERTAKEN = 1_000
"""Messages by which a commit can plausibly be lower because it overtook another one of the same client."""
FEWEST = 2
"""Harmless rollbacks of a host that show that its commits overtake each other."""
Sent = tuple[int, int, Member, Where]
"""A commit, as (time in ms, offset, consumer, line)."""


def back(group: Group) -> Iterator[Finding]:
    """Yield offset rollbacks from clients' commits, and those that only a broker logged."""
    resets = events(group, Kind.RESET)
    by_queue: dict[Queue, list[Commits]] = {}
    for share in group.shares:
        for run in share.commits:
            by_queue.setdefault(run.queue, []).append(run)
    starts: dict[Queue, list[Start]] = {}
    for share in group.shares:
        for start in share.starts:
            starts.setdefault(start.queue, []).append(start)
    told: list[Finding] = []
    for queue, runs in sorted(by_queue.items()):
        sent = _sent(runs)
        begun = list(_of_starts(group, sent, starts.get(queue, ()), resets))
        shown = {one.evidence[0] for one in begun}
        told += begun + [one for one in _of_clients(group, queue, sent, resets) if one.evidence[0] not in shown]
    yield from told
    by_number: dict[tuple[str, int], list[Finding]] = {}
    for one in told:
        by_number.setdefault(_numbered(one), []).append(one)
    for one in _of_brokers(group, set(by_queue), resets):
        if not any(_same(one, other) for other in by_number.get(_numbered(one), ())):
            yield one


def _numbered(one: Finding) -> tuple[str, int]:
    """Return the topic and queue number of a finding; brokers' lines do not name the broker."""
    queue = one.intervals[0].queue
    return (queue[0], queue[2]) if queue else ("", -1)


def _same(one: Finding, other: Finding) -> bool:
    """Return True if findings from a broker's log and clients' logs are the same rollback.

    They are if they are close in time.
    """
    return one.at is not None and other.until is not None and abs(one.at - other.until) <= AGAIN


def _sent(runs: list[Commits]) -> list[Sent]:
    found: list[Sent] = []
    for run in runs:
        found.append((run.at, run.first, run.member, run.where))
        for before, lower, at, where in run.backs:
            found.append((at - 1, before, run.member, where))
            found.append((at, lower, run.member, where))
        found.append((run.until, run.last, run.member, run.where_last))
    return sorted(found, key=lambda one: (one[0], one[3]))


def _is_before(one: Where, other: Where) -> bool:
    """Return True if a line comes before another line of the same file."""
    return one[0] == other[0] and one[1] < other[1]


def _was_reset(resets: list[Event], topic: str, begin: int, end: int) -> bool:
    """Return whether a topic's offsets were reset about that time."""
    return any(
        one.at is not None and one.topic in ("", topic) and begin - AGAIN <= one.at <= end + AGAIN for one in resets
    )


def _of_clients(group: Group, queue: Queue, sent: list[Sent], resets: list[Event]) -> Iterator[Finding]:
    highest: Sent | None = None
    told: list[tuple[Sent, Sent]] = []
    for one in sent:
        if highest is None or one[1] >= highest[1]:
            highest = one
        elif _is_before(one[3], highest[3]):
            continue  # The clock stepped back: this line comes before the line with the higher offset.
        elif one[0] - highest[0] > group.tolerance(one[2][1], highest[2][1]) or one[2] == highest[2]:
            told.append((highest, one))
            highest = one
    last = None
    for before, after in told:
        if last is not None and after[0] - last <= AGAIN:
            last = after[0]
            continue
        last = after[0]
        again = sum(1 for _, other in told if after[0] < other[0] <= after[0] + AGAIN)
        reset = _was_reset(resets, queue[0], after[0], after[0])
        same = before[2] == after[2]
        yield Finding(
            What.BACK,
            Level.SEEN if group.sure_clocks(before[2][1], after[2][1]) else Level.POSSIBLE,
            group.name,
            queue[0],
            tuple(dict.fromkeys((group.told(before[2]), group.told(after[2])))),
            (Interval(queue, before[0], after[0]),),
            both(
                phrase(
                    "{before} was committed, then the lower {after} by the same consumer",
                    before=before[1],
                    after=after[1],
                )
                if same
                else phrase(
                    "{before} was committed, then the lower {after} by another consumer",
                    before=before[1],
                    after=after[1],
                ),
                phrase(", and {number} more rollbacks within a minute", number=again) if again else "",
                phrase(": the offset was reset") if reset else "",
            ),
            ("reset",)
            if reset
            else ("late-commit", "moved-before-a-commit")
            if not same
            else ("reset", "broker-forgot"),
            (before[3], after[3]),
            {"before": before[1], "after": after[1]},
        )


def _of_starts(group: Group, sent: list[Sent], starts: Iterable[Start], resets: list[Event]) -> Iterator[Finding]:
    """Yield starts of a consumer below the offset that it committed last, by the order of lines in its log.

    If another consumer committed in between, ``_of_clients`` compares its commits. If another one commits next in the
    same log, the start can be its own, because the line names no client.
    """
    by_file: dict[str, list[Sent]] = {}
    for one in sorted(sent, key=lambda one: (one[3][1], one[0])):
        by_file.setdefault(one[3][0], []).append(one)
    for start in starts:
        own = by_file.get(start.where[0], [])
        place = bisect_left(own, start.where[1], key=lambda one: one[3][1])
        if not place:
            continue
        before = own[place - 1]
        if before[1] <= start.offset or before[0] > start.at:
            continue
        between = sent[bisect_left(sent, before[0], key=_time) : bisect_right(sent, start.at, key=_time)]
        if any(one[2][0] != start.member[0] for one in (*own[place - 1 : place + 1], *between)):
            continue
        reset = _was_reset(resets, start.queue[0], before[0], start.at)
        others = [one for one in _stale(group, start) if _host(one.member[0]) != _host(start.member[0])]
        yield Finding(
            What.BACK,
            Level.SEEN,
            group.name,
            start.queue[0],
            (group.told(start.member),),
            (Interval(start.queue, before[0], start.at),),
            both(
                phrase(
                    "{before} was committed, then the same consumer starts at the lower {after}: "
                    "{number} messages again",
                    before=before[1],
                    after=start.offset,
                    number=before[1] - start.offset,
                ),
                phrase("; a broker logged that {client} commits this offset", client=others[0].member[0])
                if others
                else "",
                phrase(": the offset was reset") if reset else "",
            ),
            ("reset",) if reset else STUCK if others else ("late-commit", "reset", "broker-forgot"),
            (before[3], start.where, *(one.where for one in others[:1])),
            {"before": before[1], "after": start.offset},
        )


def _time(one: Sent) -> int:
    return one[0]


def _stale(group: Group, start: Start) -> list[Event]:
    """Return the brokers' lines about lower commits of the offset at which a consumer starts."""
    return [
        one
        for one in events(group, Kind.WENT_BACK)
        if one.queue
        and (one.topic, one.queue[2]) == (start.queue[0], start.queue[2])
        and one.numbers[0] == start.offset
    ]


def _moved(group: Group, topic: str, number: int, at: int | None) -> bool:
    """Return whether a queue of this number changed its owner about that time, or had two."""
    spans = [one for queue, own in group.spans.items() if queue[0] == topic and queue[2] == number for one in own]
    if at is not None and len({one.member for one in spans if one.begin <= at <= one.end}) > 1:
        return True
    return at is not None and any(
        abs(time - at) <= MOVED for one in spans for time in (one.begin * one.begins, one.end * one.ends)
    )


def _by_one(group: Group, queue: Queue, one: Event) -> Finding:
    """Return the finding about a commit that is one lower: it is harmless, and fails no audit."""
    return Finding(
        What.LINES,
        Level.SEEN,
        group.name,
        one.topic,
        (one.member[0],) if one.member[0] else (),
        (Interval(queue, one.at, one.at),),
        phrase(
            "the broker had {before} and got {after}: two commits of one client, by its timer and with a pull, "
            "overtook each other, which is harmless",
            before=one.numbers[1],
            after=one.numbers[0],
        ),
        (),
        (one.where,),
        {"before": one.numbers[1], "after": one.numbers[0]},
    )


def _host(client: str) -> str:
    """Return the host of a client's address or id."""
    return client.rpartition(":")[0] if ":" in client else client.partition("@")[0]


def _overtaken(group: Group, one: Event, own: list[Event], harmless: list[Event]) -> bool:
    """Return whether a lower commit is probably one that overtook a higher one of the same client.

    It is not if the queue moves, if another host commits it, or if the client's other commits are in order. ``own``:
    the broker's lines on this queue; ``harmless``: commits of the group that were lower by one.
    """
    assert one.queue
    host = _host(one.member[0])
    lower, stored = one.numbers
    near = [
        other
        for other in harmless
        if _host(other.member[0]) == host and abs((other.at or 0) - (one.at or 0)) <= AGAIN and other.queue != one.queue
    ]
    others = any(
        _host(run.member[0]) != host
        for share in group.shares
        for run in share.commits
        if (run.queue[0], run.queue[2]) == (one.topic, one.queue[2]) and run.first <= stored <= run.last
    )
    return (
        bool(host)
        and stored - lower <= OVERTAKEN
        and len(near) >= FEWEST
        and not others
        and not _moved(group, one.topic, one.queue[2], one.at)
        and {_host(each.member[0]) for each in own} == {host}
    )


def _of_brokers(group: Group, known: set[Queue], resets: list[Event]) -> Iterator[Finding]:
    """Yield rollbacks that a broker logged.

    A broker's line does not name the broker, so the queue is found by topic and number. ``known``: queues in clients'
    logs; ``resets``: offset resets.
    """
    lines: dict[tuple[str, int], list[Event]] = {}
    harmless = [one for one in events(group, Kind.WENT_BACK) if one.numbers[1] - one.numbers[0] == 1]
    for share in group.shares:
        for one in share.events:
            if one.kind is Kind.WENT_BACK and one.queue:
                lines.setdefault((one.topic, one.queue[2]), []).append(one)
    for (topic, number), own in sorted(lines.items()):
        fits = sorted(queue for queue in known if queue[0] == topic and queue[2] == number)
        queue = fits[0] if len(fits) == 1 else (topic, "", number)
        last: int | None = None
        for one in sorted(own, key=lambda event: (event.at or 0, event.where)):
            if last is not None and one.at is not None and one.at - last <= AGAIN:
                last = one.at
                continue
            last = one.at
            reset = one.at is not None and _was_reset(resets, topic, one.at, one.at)
            same = sum(1 for each in own if each.numbers[0] == one.numbers[0] and each.member == one.member)
            if one.numbers[1] - one.numbers[0] == 1 and not reset and not _moved(group, topic, number, one.at):
                yield _by_one(group, queue, one)
                continue
            # The same happens in other queues of this host by one only, so here it may be harmless, too.
            overtaken = same == 1 and not reset and _overtaken(group, one, own, harmless)
            yield Finding(
                What.BACK,
                Level.POSSIBLE if overtaken else Level.SEEN,
                group.name,
                topic,
                (one.member[0],) if one.member[0] else (),
                (Interval(queue, one.at, one.at),),
                both(
                    phrase(
                        "the broker had {before} and accepted the lower {after}",
                        before=one.numbers[1],
                        after=one.numbers[0],
                    ),
                    phrase(": the offset was reset") if reset else "",
                    phrase(
                        "; at that time, commits of this client by its timer and with a pull overtook each other in "
                        "other queues, so this is probably harmless, too, unless a new owner starts at the lower offset"
                    )
                    if overtaken
                    else "",
                    phrase(
                        "; it got this offset {number} times: a consumer that does not move on commits it", number=same
                    )
                    if same > 1
                    else "",
                ),
                ("reset",)
                if reset
                else STUCK
                if same > 1
                else ("late-commit",)
                if overtaken
                else ("late-commit", "moved-before-a-commit"),
                (one.where,),
                {"before": one.numbers[1], "after": one.numbers[0]},
            )
