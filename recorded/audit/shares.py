"""Assign one log's lines to groups and clients, and reconstruct queue ownership."""

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from rebalance_proofs.recorded.audit.entries import (
    INTERVAL,
    SLACK,
    added,
    by_result,
    close,
    committed,
    ended,
    forgot,
    just_closed,
    replaced,
    restarted,
    unlogged,
    worked,
)
from rebalance_proofs.recorded.audit.log import (
    BROKERS,
    EVENTS,
    NAMELESS,
    NAMING,
    OWN,
    SAME_REBALANCE,
    TABLE,
    Log,
    Placed,
    intersection,
)
from rebalance_proofs.recorded.audit.told import NOT_ASKED, Event, Member, Share, Start, View, Where
from rebalance_proofs.recorded.logs.fact import FIRST_PULL, OF_BROKER, REMOVES_SILENTLY, Fact, Kind, Queue
from rebalance_proofs.recorded.logs.lines import NAMED, Logs
from rebalance_proofs.recorded.logs.named import WITHOUT_LIST, answered

# Find the client and the group of log lines that do not name them.


def by_neighbours(placed: Sequence[Placed]) -> dict[int, str]:
    """Return the client of each line that names none, as index of the line -> client id.

    An added queue belongs to the client of the rebalance result that follows; a removed queue to that of the commit
    before it.
    """
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
        elif fact.kind in (Kind.REMOVED, Kind.ILLEGAL, Kind.FORGOT) and fact.queue:
            before = last.get((fact.group, fact.queue))
            if before and _near(before.until, fact.at):
                found[place] = before.client
    return found


def _near(before: int | None, after: int | None) -> bool:
    return before is None or after is None or 0 <= after - before <= SAME_REBALANCE


def group_of(log: Log, fact: Fact, own_groups: set[str]) -> str:
    """Return the group of a line that does not name it; "" if it is ambiguous or never named."""
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


def whose(log: Log, share: Share, fact: Fact) -> str:
    """Return the client of a line that does not name it; "" if it is ambiguous."""
    every = log.clients.get(share.group, [])
    known = [one for one in every if (share.group, one) not in log.over] or every
    if len(known) == 1:
        return known[0]
    having = [client for group, client, queue in log.open if group == share.group and queue == fact.queue]
    if len(having) == 1 and fact.kind in (Kind.REMOVED, Kind.ILLEGAL, Kind.ENDED, Kind.UNCOUNTED):
        return having[0]
    if known and fact.at is not None:
        # Only one of several clients still logs: the process was restarted.
        recent = [one for one in known if log.seen.get((share.group, one), 0) >= fact.at - SAME_REBALANCE]
        if len(recent) == 1:
            return recent[0]
    if fact.kind in OWN:
        share.unnamed += 1
    return ""


INSTANCE = "instance-shut"
"""Line that several consumers of one log can have written; it counts although it names none."""
CLIENTS = (Kind.COMMITTED, Kind.ADDED, Kind.REMOVED, Kind.CREATED, Kind.BEGAN, Kind.SHUT)
"""Kinds of lines that only a client logs."""
AT_ONCE = 1_000
"""Longest time in ms from a failed lock request to the line that the queue was not added."""


def shares(name: str, files: Sequence[tuple[str, Sequence[Fact]]], zone_known: bool = True) -> list[Share]:
    """Return what the log ``name`` contains about each group.

    ``files``: each file's name and facts, the oldest file first. ``zone_known``: whether the log's time zone is known.
    """
    placed = [(fact, file) for file, facts in files for fact in sorted(facts, key=lambda one: one.line)]
    interval = next((one.numbers[0] for one, _ in placed if one.kind is Kind.CREATED and one.numbers), INTERVAL)
    log = Log(name, _heard(_of_one(placed), max(interval, INTERVAL) + SLACK))
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
    own_groups = {fact.group for fact, _ in placed if fact.group and (fact.kind in OWN or _said_by_client(fact))}
    log.groups = {fact.group for fact, _ in placed if fact.group}
    for group in own_groups:
        if group not in log.clients:
            alone = list(dict.fromkeys(created))
            log.clients[group] = alone if len(alone) == 1 else [f"({PurePath(name).name})"]
    clients = by_neighbours(placed) if any(len(own) > 1 for own in log.clients.values()) else {}
    version = next((fact.more for fact, _ in placed if fact.kind is Kind.CREATED), "")
    routes: dict[str, tuple[Queue, ...]] = {}
    for place, (fact, file) in enumerate(placed):
        if fact.kind in (Kind.HEARD, Kind.BROKE):
            continue
        if fact.kind is Kind.ROUTE:
            routes[fact.topic] = fact.queues
        elif fact.kind is Kind.CREATED:
            restarted(log, fact)
        elif fact.kind is Kind.LOCK_BROKE:
            log.lock_broke.update(dict.fromkeys(fact.queues, fact.at or 0))
        else:
            _take(log, fact, (file, fact.line), clients.get(place, ""), own_groups)
    ended(log, interval)
    began, shut = (
        tuple(fact.at for fact, _ in placed if fact.kind is kind and fact.at is not None)
        for kind in (Kind.BEGAN, Kind.SHUT)
    )
    refused = tuple(
        (fact.at, fact.group, *answered(fact.more, fact.numbers))
        for fact, _ in placed
        if fact.name in WITHOUT_LIST and fact.more and fact.at is not None
    )
    for share in log.shares.values():
        share.refused_lists = refused
        share.version, share.zone_known = version, zone_known
        share.begins, share.shuts = began, shut
        share.routes = {topic: queues for topic, queues in routes.items() if _about(share, topic)}
        share.members = sorted({(one, log.name) for one in log.clients.get(share.group, [])})
        if share.group in log.began:
            begin, end = log.began[share.group], log.shut.get(share.group)
            share.active = intersection(
                log.heard, [(begin, max([until for _, until in log.heard], default=begin) if end is None else end)]
            )
    return list(log.shares.values())


def _of_one(placed: Sequence[Placed]) -> Sequence[Placed]:
    """Return the lines without the times of a broker's lines, if they are pasted into a client's log."""
    if not any(fact.kind in CLIENTS or _said_by_client(fact) for fact, _ in placed):
        return placed
    own = [one for one in placed if one[0].kind is not Kind.HEARD or one[0].more != OF_BROKER]
    return own if any(fact.kind is Kind.HEARD for fact, _ in own) else placed


def _said_by_client(fact: Fact) -> bool:
    return fact.kind is Kind.SAID and NAMED[fact.name].logs is Logs.CLIENT


def _about(share: Share, topic: str) -> bool:
    return any(view.topic == topic for view in share.views) or any(span.queue[0] == topic for span in share.spans)


def _heard(placed: Iterable[Placed], pause: int) -> list[tuple[int, int]]:
    """Return the intervals in ms in which the log has no pause longer than ``pause`` ms."""
    runs = sorted((fact.at, fact.until) for fact, _ in placed if fact.kind is Kind.HEARD and fact.at is not None)
    found: list[tuple[int, int]] = []
    for at, until in runs:
        assert until is not None
        if found and at - found[-1][1] <= pause:
            found[-1] = (found[-1][0], max(found[-1][1], until))
        else:
            found.append((at, until))
    return found


def _event(fact: Fact, member: Member, where: Where) -> Event:
    last = (where[0], fact.last_line or where[1])
    return Event(
        fact.kind,
        member,
        fact.at,
        fact.queue,
        fact.topic,
        fact.more,
        fact.numbers,
        where,
        fact.name,
        fact.at if fact.until is None else fact.until,
        last,
    )


def _take(log: Log, fact: Fact, where: Where, client: str, own_groups: set[str]) -> None:
    group = fact.group
    if not group:
        group = group_of(log, fact, own_groups or log.groups if fact.kind in NAMELESS else own_groups)
        if not group and fact.kind not in NAMELESS:
            log.share("").unnamed += 1
            return
    share = log.share(group)
    if fact.at is None:
        share.undated += 1
    broker = fact.kind in BROKERS or not group or (fact.kind is Kind.SAID and not _said_by_client(fact))
    named = fact.client or client
    if not named and not broker:
        named = whose(log, share, fact)
    member = (named, log.name)
    if fact.client:
        log.over.discard((group, fact.client))
    if fact.at is not None and named:
        log.seen[group, named] = max(fact.until or fact.at, log.seen.get((group, named), 0))
    if fact.at is not None and fact.kind in OWN:
        log.began.setdefault(group, fact.at)
        if fact.kind is Kind.SHUT:
            log.shut[group] = fact.at
        elif fact.kind not in (Kind.REMOVED, Kind.GAVE_LOCK):
            log.shut.pop(group, None)
    failed = log.lock_broke.pop(fact.queue, None) if fact.kind is Kind.DENIED and fact.queue else None
    if failed is not None and 0 <= (fact.at or 0) - failed <= AT_ONCE:
        fact = fact._replace(more=NOT_ASKED)
    if fact.kind in EVENTS and (named or broker or fact.name == INSTANCE):
        share.events.append(_event(fact, member, where))
    elif fact.kind is Kind.REMOVED and fact.more and named:
        share.events.append(_event(fact._replace(kind=Kind.NOT_PULLED), member, where))
    if fact.kind is Kind.RESULT:
        sizes = fact.numbers
        queues = tuple(sorted(set(fact.queues)))
        result = log.results.setdefault(queues, queues)
        share.views.append(View(member, fact.topic, fact.at, sizes[0], sizes[1], fact.more, result, where))
    if not named or fact.at is None:
        return
    if fact.kind is Kind.COMMITTED:
        committed(log, share, fact, where, member)
    elif fact.kind is Kind.ADDED and fact.queue:
        if fact.more == FIRST_PULL and fact.numbers and fact.numbers[0] >= 0:
            share.starts.append(Start(member, fact.queue, fact.at, fact.numbers[0], where))
        added(log, (group, named, fact.queue), fact, where, member)
    elif fact.kind in (Kind.REMOVED, Kind.ILLEGAL) and fact.queue:
        key = (group, named, fact.queue)
        if key not in log.open:
            if just_closed(log, key, fact.at):
                return
            unlogged(log, group, member, fact.queue, (fact.at, fact.at), (where, where))
        close(log, key, fact.at, where)
    elif fact.kind is Kind.FORGOT and fact.queue:
        forgot(log, (group, named, fact.queue), fact.at, where)
    elif fact.kind in (Kind.DENIED, Kind.NOT_ADDED) and fact.queue:
        log.denied[named, fact.queue] = fact.at
    elif fact.kind is Kind.RESULT:
        by_result(log, share, fact, where, member)
    elif fact.kind is Kind.SHUT:
        log.over.add((group, named))
        for key in [one for one in log.open if one[0] == group and one[1] == named]:
            close(log, key, None if replaced(log, key[:2], log.open[key]) else fact.at, where)
    elif fact.kind in (Kind.ENDED, Kind.UNCOUNTED) and not fact.more and fact.queue:
        worked(log, fact, where)
