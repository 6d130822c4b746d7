"""The facts of one log, put together group by group: whose they are, and from when to when a queue was whose."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from rebalance_proofs.recorded.audit.times import intersection
from rebalance_proofs.recorded.audit.told import Commits, Event, Member, Share, Span, View, Where
from rebalance_proofs.recorded.logs.fact import FIRST_PULL, REMOVES_SILENTLY, Fact, Kind, Queue
from rebalance_proofs.recorded.logs.reader import PAUSE

__all__ = ["shares"]

INTERVAL = 5_000
"""persistConsumerOffsetInterval in ms, as shipped."""
SLACK = PAUSE - INTERVAL
SAME_REBALANCE = 30_000
"""ms within which the lines of one rebalance stand."""
RECENT = 16
"""Entries of one queue in one log that are looked at: the last ones that ended."""
LATE = 1_000
"""ms by which one thread's commit of a queue can come after another one's removal of it."""
TABLE = (Kind.COMMITTED, Kind.RESULT, Kind.ADDED, Kind.REMOVED, Kind.ILLEGAL)
REFUSALS = (Kind.DENIED, Kind.NOT_ADDED, Kind.NO_IDS, Kind.NOT_LISTED)
OWN = (
    *TABLE,
    *REFUSALS,
    Kind.BEGAN,
    Kind.SHUT,
    Kind.NOTIFIED,
    Kind.GAVE_LOCK,
    Kind.LOCKED,
    Kind.LOCK_FAILED,
    Kind.REFUSED,
    Kind.PAUSED,
    Kind.NOT_PULLED,
)
"""Kinds that only a member's own log has."""
NAMING = (Kind.COMMITTED, Kind.RESULT, Kind.NOT_LISTED, Kind.GAVE_LOCK)
"""Those that name the client."""
BROKERS = (
    Kind.WENT_BACK,
    Kind.RESET,
    Kind.CONNECTED,
    Kind.GONE,
    Kind.LOCKED_BY_OTHER,
    Kind.LOCK_RAN_OUT,
    Kind.REFUSES,
    Kind.IDS_DIFFER,
)
"""Kinds of a broker's lines, which need name no client."""
EVENTS = (
    *BROKERS,
    *REFUSALS,
    Kind.LOCK_FAILED,
    Kind.NOT_PULLED,
    Kind.NOTIFIED,
    Kind.REFUSED,
    Kind.THREW,
    Kind.PAUSED,
    Kind.BEGAN,
    Kind.SHUT,
)
"""Kinds that are kept as they are, beside what is made of them."""

Placed = tuple[Fact, str]
"""A fact, and the name of its file."""


@dataclass
class _Log:
    """What is known while a log is gone through."""

    name: str
    heard: list[tuple[int, int]]
    shares: dict[str, Share] = field(default_factory=dict)
    open: dict[tuple[str, str, Queue], Span] = field(default_factory=dict)
    closed: dict[Queue, list[Span]] = field(default_factory=dict)
    clients: dict[str, list[str]] = field(default_factory=dict)
    adds: set[str] = field(default_factory=set)
    """Groups of which lines say that a queue was added."""
    denied: dict[tuple[str, Queue], int] = field(default_factory=dict)
    committed: dict[tuple[str, str], int] = field(default_factory=dict)
    """Time of each client's last commit."""
    seen: dict[tuple[str, str], int] = field(default_factory=dict)
    """Time of each client's last line."""
    group_of: dict[int, str] = field(default_factory=dict)
    """Group of each entry that has ended."""
    began: dict[str, int] = field(default_factory=dict)
    """Time of each group's first line of a member."""
    topics: dict[str, set[str]] = field(default_factory=dict)
    """Topics that lines name together with each group."""
    shut: dict[str, int] = field(default_factory=dict)
    """Time at which a group's consumer was shut down, if none of its members' lines follows."""

    def share(self, group: str) -> Share:
        if group not in self.shares:
            self.shares[group] = Share(group, self.name, heard=self.heard)
        return self.shares[group]


def shares(name: str, files: Sequence[tuple[str, Sequence[Fact]]], zone_known: bool = True) -> list[Share]:
    """What the log says of each group. ``files``: its files' facts, the oldest first."""
    placed = [(fact, file) for file, facts in files for fact in sorted(facts, key=lambda one: one.line)]
    interval = next((one.numbers[0] for one, _ in placed if one.kind is Kind.CREATED and one.numbers), INTERVAL)
    log = _Log(name, _heard(placed, max(interval, INTERVAL) + SLACK))
    created: list[str] = []
    for fact, _ in placed:
        if fact.group and fact.topic:
            log.topics.setdefault(fact.group, set()).add(fact.topic)
        if fact.kind in NAMING and fact.group and fact.client:
            known = log.clients.setdefault(fact.group, [])
            if fact.client not in known:
                known.append(fact.client)
        elif fact.kind is Kind.CREATED:
            created.append(fact.client)
        elif fact.kind is Kind.ADDED and fact.more != REMOVES_SILENTLY:
            log.adds.add(fact.group)
    own_groups = {fact.group for fact, _ in placed if fact.kind in OWN and fact.group}
    for group in own_groups:
        if group not in log.clients:
            alone = list(dict.fromkeys(created))
            log.clients[group] = alone if len(alone) == 1 else [f"({PurePath(name).name})"]
    following = _following(placed) if any(len(own) > 1 for own in log.clients.values()) else {}
    version = next((fact.more for fact, _ in placed if fact.kind is Kind.CREATED), "")
    routes: dict[str, tuple[Queue, ...]] = {}
    for place, (fact, file) in enumerate(placed):
        if fact.kind is Kind.HEARD:
            continue
        if fact.kind is Kind.ROUTE:
            routes[fact.topic] = fact.queues
        elif fact.kind is Kind.CREATED:
            _restarted(log, fact)
        else:
            _take(log, fact, (file, fact.line), following.get(place, ""), own_groups)
    _end(log, interval)
    for share in log.shares.values():
        share.version, share.zone_known = version, zone_known
        share.routes = {topic: queues for topic, queues in routes.items() if _about(share, topic)}
        share.members = sorted({(one, log.name) for one in log.clients.get(share.group, [])})
        if share.group in log.began:
            begin, end = log.began[share.group], log.shut.get(share.group)
            share.active = intersection(
                log.heard, [(begin, max([until for _, until in log.heard], default=begin) if end is None else end)]
            )
    return list(log.shares.values())


def _about(share: Share, topic: str) -> bool:
    return any(view.topic == topic for view in share.views) or any(span.queue[0] == topic for span in share.spans)


def _heard(placed: Iterable[Placed], pause: int) -> list[tuple[int, int]]:
    """Times without a pause longer than that."""
    runs = sorted((fact.at, fact.until) for fact, _ in placed if fact.kind is Kind.HEARD and fact.at is not None)
    found: list[tuple[int, int]] = []
    for at, until in runs:
        assert until is not None
        if found and at - found[-1][1] <= pause:
            found[-1] = (found[-1][0], max(found[-1][1], until))
        else:
            found.append((at, until))
    return found


def _following(placed: Sequence[Placed]) -> dict[int, str]:
    """For each line that names no client, that of the result in which its rebalance ends; of a removal, that of the
    commit right before."""
    found: dict[int, str] = {}
    results: dict[tuple[str, str], Fact] = {}
    for place in range(len(placed) - 1, -1, -1):
        fact = placed[place][0]
        if fact.kind is Kind.RESULT:
            results[fact.group, fact.topic] = fact
        elif fact.kind in (Kind.ADDED, Kind.DENIED, Kind.NOT_ADDED) and fact.queue:
            after = results.get((fact.group, fact.queue[0]))
            if after and fact.queue in after.queues and _near(fact.at, after.at):
                found[place] = after.client
    last: dict[tuple[str, Queue], Fact] = {}
    for place, (fact, _) in enumerate(placed):
        if fact.kind is Kind.COMMITTED and fact.queue:
            last[fact.group, fact.queue] = fact
        elif fact.kind in (Kind.REMOVED, Kind.ILLEGAL) and fact.queue:
            before = last.get((fact.group, fact.queue))
            if before and _near(before.until, fact.at):
                found[place] = before.client
    return found


def _near(before: int | None, after: int | None) -> bool:
    return before is None or after is None or 0 <= after - before <= SAME_REBALANCE


def _take(log: _Log, fact: Fact, where: Where, client: str, own_groups: set[str]) -> None:
    group = fact.group
    if not group:
        group = _group_of(log, fact, own_groups)
        if not group:
            log.share("").unnamed += 1
            return
    share = log.share(group)
    if fact.at is None:
        share.undated += 1
    broker = fact.kind in BROKERS
    named = fact.client or client
    if not named and not broker:
        named = _whose(log, share, fact)
    member = (named, log.name)
    if fact.at is not None and named:
        log.seen[group, named] = max(fact.until or fact.at, log.seen.get((group, named), 0))
    if fact.at is not None and fact.kind in OWN:
        log.began.setdefault(group, fact.at)
        if fact.kind is Kind.SHUT:
            log.shut[group] = fact.at
        elif fact.kind not in (Kind.REMOVED, Kind.GAVE_LOCK):
            log.shut.pop(group, None)
    if fact.kind in EVENTS and (named or broker):
        share.events.append(Event(fact.kind, member, fact.at, fact.queue, fact.topic, fact.more, fact.numbers, where))
    if fact.kind is Kind.RESULT:
        sizes = fact.numbers
        share.views.append(
            View(member, fact.topic, fact.at, sizes[0], sizes[1], fact.more, tuple(sorted(set(fact.queues))), where)
        )
    if not named or fact.at is None:
        return
    if fact.kind is Kind.COMMITTED:
        _committed(log, share, fact, where, member)
    elif fact.kind is Kind.ADDED and fact.queue:
        _added(log, (group, named, fact.queue), fact, where, member)
    elif fact.kind in (Kind.REMOVED, Kind.ILLEGAL) and fact.queue:
        key = (group, named, fact.queue)
        if key not in log.open:
            _unlogged(log, group, member, fact.queue, (fact.at, fact.at), (where, where))
        _close(log, key, fact.at, where)
    elif fact.kind in (Kind.DENIED, Kind.NOT_ADDED) and fact.queue:
        log.denied[named, fact.queue] = fact.at
    elif fact.kind is Kind.RESULT:
        _by_result(log, share, fact, where, member)
    elif fact.kind is Kind.SHUT:
        for key in [one for one in log.open if one[0] == group and one[1] == named]:
            _close(log, key, fact.at, where)
    elif fact.kind in (Kind.ENDED, Kind.UNCOUNTED) and not fact.more and fact.queue:
        _worked(log, fact, where)


def _added(log: _Log, key: tuple[str, str, Queue], fact: Fact, where: Where, member: Member) -> None:
    """Open an entry, unless the line is one more on an entry that has just begun."""
    assert fact.at is not None
    span = log.open.get(key)
    if span and fact.more == FIRST_PULL:
        return
    if span and fact.more == REMOVES_SILENTLY and not span.begins and fact.at - span.begin <= SAME_REBALANCE:
        # The result of the rebalance stands before the line on what it adds.
        span.begin = span.earliest = fact.at
        span.begins, span.first, span.sure = True, where, max(span.sure, fact.at)
        return
    _close(log, key, None, where)
    log.open[key] = Span(member, key[2], fact.at, fact.at, True, False, where, where, fact.at, fact.at)


def _group_of(log: _Log, fact: Fact, own_groups: set[str]) -> str:
    """The group of a line that does not say it; "" if it could be several, or one that the log does not name."""
    if fact.queue and fact.kind in TABLE:
        topic = fact.queue[0]
        named = [one for one in own_groups if topic == f"%RETRY%{one}" or topic in log.topics.get(one, ())]
        return named[0] if len(named) == 1 else ""
    if fact.queue:
        having = {group for group, _, queue in log.open if queue == fact.queue}
        if having:
            return having.pop() if len(having) == 1 else ""
        spans = log.closed.get(fact.queue)
        if spans:
            return log.group_of[id(spans[-1])]
    return next(iter(own_groups)) if len(own_groups) == 1 else ""


def _whose(log: _Log, share: Share, fact: Fact) -> str:
    """The client of a line that does not say it; "" if it could be several."""
    known = log.clients.get(share.group, [])
    if len(known) == 1:
        return known[0]
    having = [client for group, client, queue in log.open if group == share.group and queue == fact.queue]
    if len(having) == 1 and fact.kind in (Kind.REMOVED, Kind.ILLEGAL, Kind.ENDED, Kind.UNCOUNTED):
        return having[0]
    if known and fact.at is not None:
        # The last of them that has been seen, if the others are not seen any more: the process was started again.
        recent = [one for one in known if log.seen.get((share.group, one), 0) >= fact.at - SAME_REBALANCE]
        if len(recent) == 1:
            return recent[0]
    if fact.kind in OWN:
        share.unnamed += 1
    return ""


def _unlogged(
    log: _Log, group: str, member: Member, queue: Queue, seen: tuple[int, int], lines: tuple[Where, Where]
) -> Span:
    """Open an entry of which no line says when it began. ``seen``: first and last time at which it is certain."""
    at, until = seen
    ended = [one.end for one in log.closed.get(queue, [])[-RECENT:] if one.end <= at]
    earliest = max([min(log.heard[0][0], at) if log.heard else at, *ended])
    span = log.open[group, member[0], queue] = Span(member, queue, at, until, False, False, *lines, earliest, until)
    return span


def _committed(log: _Log, share: Share, fact: Fact, where: Where, member: Member) -> None:
    assert fact.at is not None
    assert fact.queue
    until = fact.at if fact.until is None else fact.until
    last = (where[0], fact.last_line or where[1])
    first_offset, last_offset, *backs = fact.numbers
    share.commits.append(
        Commits(
            member,
            fact.queue,
            fact.at,
            until,
            first_offset,
            last_offset,
            tuple(
                (backs[at], backs[at + 1], backs[at + 2], (where[0], backs[at + 3])) for at in range(0, len(backs), 4)
            ),
            where,
            last,
            fact.more == "given up",
        )
    )
    key = (share.group, member[0], fact.queue)
    span = log.open.get(key)
    if span is None and _late(log, key, fact.at, until):
        return
    if span is None:
        span = _unlogged(log, share.group, member, fact.queue, (fact.at, until), (where, last))
    span.sure, span.last, span.committed = max(span.sure, until), last, True
    log.committed[share.group, member[0]] = max(until, log.committed.get((share.group, member[0]), 0))


def _late(log: _Log, key: tuple[str, str, Queue], at: int, until: int) -> bool:
    """Whether a commit is the last of an entry that another thread took out of the table just before."""
    before = [one for one in log.closed.get(key[2], [])[-RECENT:] if one.member[0] == key[1] and one.ends]
    return until - at <= LATE and any(0 <= at - one.end <= LATE for one in before)


def _by_result(log: _Log, share: Share, fact: Fact, where: Where, member: Member) -> None:
    """The table, as far as a result tells it: what it has was kept or added, where nothing denied it."""
    assert fact.at is not None
    named = member[0]
    for queue in fact.queues:
        key = (share.group, named, queue)
        denied = log.denied.get((named, queue))
        if key in log.open:
            log.open[key].sure = max(log.open[key].sure, fact.at)
        elif denied is None or fact.at - denied > SAME_REBALANCE:
            _unlogged(log, share.group, member, queue, (fact.at, fact.at), (where, where))
    if share.group in log.adds:
        return
    # A log without lines on single queues: the result is what there is.
    gone = [
        key
        for key in log.open
        if key[0] == share.group and key[1] == named and key[2][0] == fact.topic and key[2] not in fact.queues
    ]
    for key in gone:
        _close(log, key, fact.at, where)


def _close(log: _Log, key: tuple[str, str, Queue], at: int | None, where: Where) -> None:
    """End an entry: at a known time, or where it was seen last."""
    span = log.open.pop(key, None)
    if span is None:
        return
    if at is None:
        span.end = span.sure
    else:
        span.end = span.sure = max(at, span.begin)
        span.ends, span.last = True, where
    log.closed.setdefault(key[2], []).append(span)
    log.group_of[id(span)] = key[0]
    log.share(key[0]).spans.append(span)


def _restarted(log: _Log, fact: Fact) -> None:
    """A client instance is made: one of that id that was there before has ended."""
    for key in [one for one in log.open if one[1] == fact.client]:
        _close(log, key, None, ("", 0))


def _worked(log: _Log, fact: Fact, where: Where) -> None:
    """A listener ended after its queue had been taken away."""
    assert fact.at is not None
    assert fact.queue
    spans = [one for one in log.closed.get(fact.queue, [])[-RECENT:] if one.end <= fact.at]
    if spans and not any(key[2] == fact.queue for key in log.open):
        span = max(spans, key=lambda one: one.end)
        span.worked, span.worked_at, span.counted = fact.at, where, fact.kind is not Kind.UNCOUNTED


def _end(log: _Log, interval: int) -> None:
    """The log ends: what is open is had until the last line, or until it is not committed any more."""
    last = max((end for _, end in log.heard), default=None)
    for (group, client, _), span in log.open.items():
        committed = log.committed.get((group, client), 0)
        several = len(log.clients.get(group, [])) > 1
        stopped = span.committed and committed - span.sure > 3 * interval + SLACK
        over = several and last is not None and last - log.seen.get((group, client), 0) > 3 * interval + SLACK
        if not (stopped or over) and last is not None:
            span.end = max(span.sure, last)
        else:
            span.end = span.sure
        log.share(group).spans.append(span)
    log.open.clear()
