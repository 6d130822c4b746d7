"""Findings about single consumers: rebalance storms, silent logs, duplicate client ids."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What, episodes, events, finding_of
from rebalance_proofs.recorded.audit.group import SILENT, Group, both, ids_in, phrase
from rebalance_proofs.recorded.audit.log import NAMING, Times, clipped, intersection
from rebalance_proofs.recorded.audit.told import Event, Member, Share, Span
from rebalance_proofs.recorded.logs.fact import Kind

RECONNECTED = 240_000
"""Time in ms for which a broker lists an old connection at most, and that of the outage before it."""
CONTINUOUS, EACH = 30_000, 10_000
"""Time in ms of regular lines around a silence, and on each side of it, that shows that the file is no excerpt."""
MINUTE = 60_000
"""Time in ms that a line of statistics covers."""
LOOP = 150_000
"""Longest time in ms between two expired pulls of one loop: a pull expires after 120 s, and a rebalance finds it."""
WAITS = ("pull-waits", "go-pull-waits", "not-locked", "go-not-locked", "cpp-not-locked")
RENEWED = 25_000
"""Longest time in ms until a lock is renewed and then known to the client: it renews its locks every 20 s."""
WAITED = 2_000
"""Shortest time in ms for which a queue waits for its lock that is reported."""
STORM, WITHIN = 10, 60_000
"""A rebalance storm is ``STORM`` or more notifications of one consumer within ``WITHIN`` ms."""


def storms(group: Group) -> Iterator[Finding]:
    """Yield a finding for each consumer that was notified very often in a short time."""
    for share in group.shares:
        for member in share.members:
            own = sorted(
                (
                    one
                    for one in share.events
                    if one.kind is Kind.NOTIFIED and one.member == member and one.at is not None
                ),
                key=lambda one: (one.at or 0, one.where),
            )
            for first, last in _bursts([one.at or 0 for one in own]):
                episode = own[first : last + 1]
                detail = phrase("received {number} notifications that the group had changed", number=len(episode))
                yield finding_of(What.STORM, group, (group.told(member),), episode, detail, ("storm",))


def _bursts(times: Sequence[int]) -> list[tuple[int, int]]:
    """Return the storms in sorted times, as (index of its first time, index of its last time)."""
    found: list[tuple[int, int]] = []
    for last in range(STORM - 1, len(times)):
        first = last - STORM + 1
        if times[last] - times[first] <= WITHIN:
            if found and first <= found[-1][1]:
                found[-1] = found[-1][0], last
            else:
                found.append((first, last))
    return found


def ids(group: Group) -> Iterator[Finding]:
    """Yield findings about ambiguous client ids.

    They are an id that two logs contain, an id that occurs twice in cidAll, and two ids on one connection.
    """
    by_client: dict[str, list[str]] = {}
    for client, log in group.members:
        if not client.startswith("("):
            by_client.setdefault(client, []).append(log)
    for client, logs in by_client.items():
        for place, one in enumerate(logs):
            for other in logs[place + 1 :]:
                alive = intersection(_ran(group, (client, one)), _ran(group, (client, other)))
                longest = max(alive, key=lambda pair: pair[1] - pair[0], default=None)
                if longest is None or longest[1] - longest[0] <= group.tolerance(one, other):
                    continue
                yield Finding(
                    What.IDS,
                    Level.SEEN if group.sure_clocks(one, other) else Level.POSSIBLE,
                    group.name,
                    "",
                    (f"{client} in {one}", f"{client} in {other}"),
                    (Interval(None, alive[0][0], alive[-1][1]),),
                    phrase("two logs of the same period are from {client}", client=client),
                    ("same-client-id",),
                    tuple(_first(group.by_log[log]) for log in (one, other)),
                )
    for event in events(group, Kind.NOT_LISTED):
        listed = ids_in(event.more)
        twice = sorted({one for one in listed if listed.count(one) > 1})
        if twice:
            yield _listed_twice(group, event, twice, by_client)
    for event in events(group, Kind.IDS_DIFFER):
        detail = phrase("one connection sent heartbeats with two client ids")
        yield finding_of(What.IDS, group, (event.member[0], event.more), [event], detail, ("second-channel",))


def _listed_twice(group: Group, event: Event, twice: Sequence[str], by_client: dict[str, list[str]]) -> Finding:
    """Return the finding about ids that a member list names several times.

    Two processes have one id only if both are alive at once. One process is listed for each of its connections.
    """
    at = event.at or 0
    alive = max(sum(any(a <= at <= b for a, b in group.heard(log)) for log in by_client.get(one, ())) for one in twice)
    connected = [one for one in events(group, Kind.CONNECTED) if one.member[0] in twice]
    hosts = max((len({each.more for each in connected if each.member[0] == one}) for one in twice), default=0)
    names = ", ".join(twice)
    if alive == 1 and (hosts == 1 or _failed(group, at)):
        detail = phrase(
            "a broker lists {ids} several times: one process with several connections, because the ids have one log"
            " and no second process was alive",
            ids=names,
        )
        return finding_of(What.GONE, group, twice, [event], detail, ("second-channel", "connections-flap"))
    detail = phrase("a broker lists {ids} several times", ids=names)
    causes = ("same-client-id", "second-channel")
    found = finding_of(What.IDS, group, twice, [event], detail, causes)
    if alive > 1:
        return found
    detail = both(
        detail, phrase("; no log shows whether two processes have the id, or one process has two connections")
    )
    return replace(found, level=Level.POSSIBLE, detail=detail)


def _failed(group: Group, at: int) -> bool:
    """Return whether requests to a broker had failed shortly before, so that clients connected again."""
    return any(
        one.kind in (Kind.REFUSED, Kind.NO_IDS) and one.at is not None and 0 <= at - one.at <= RECONNECTED
        for share in group.shares
        for one in share.events
    )


def _ran(group: Group, member: Member) -> Times:
    """Return the times at which the member's log has lines, from the first to the last one that names the member."""
    share = group.by_log[member[1]]
    at = [one.at for one in share.views if one.member == member and one.at is not None]
    at += [one.at for one in share.events if one.member == member and one.at is not None and one.kind in NAMING]
    at += [time for one in share.commits if one.member == member for time in (one.at, one.until)]
    at += [time for one in share.spans if one.member == member for time in (one.begin, one.end)]
    return clipped(share.heard, min(at), max(at)) if at else []


def _first(share: Share) -> tuple[str, int]:
    places = (
        [one.where for one in share.views] + [one.where for one in share.commits] + [one.first for one in share.spans]
    )
    return min(places, default=("", 0))


def unread(group: Group) -> Iterator[Finding]:
    """Yield findings about consumers that own queues but do not read them.

    Such a consumer is silent, was suspended, waits for a lock, or had an expired pull.
    """
    for share in group.shares:
        yield from _silent(group, share)
    yield from _waits_for_lock(group)
    for many in _by_queue(events(group, Kind.NOT_PULLED)):
        if len(many) > 1:
            detail = phrase(
                "given up {number} times because nothing was pulled for two minutes, and added again: it has the "
                "queue, but does not consume it",
                number=len(many),
            )
            causes: tuple[str, ...] = ("expired-pull", "pull-request-lost", "not-locked-yet")
        else:
            detail, causes = phrase("it did not pull for two minutes"), ("expired-pull", "pull-request-lost")
        yield finding_of(What.UNREAD, group, (group.told(many[0].member),), many, detail, causes)
    for many in episodes(events(group, Kind.PAUSED), lambda one: one.member):
        detail = phrase("it was suspended: {number} pulls were postponed", number=len(many))
        yield finding_of(What.UNREAD, group, (group.told(many[0].member),), many, detail, ("suspended",))


def _by_queue(every: Sequence[Event]) -> Iterator[list[Event]]:
    """Yield the expired pulls of each queue; those of one loop, which come every two minutes, are together."""
    own: dict[object, list[Event]] = {}
    for one in sorted(every, key=lambda event: (event.at or 0, event.where)):
        own.setdefault((one.member, one.queue), []).append(one)
    for many in own.values():
        loop = [many[0]]
        for one in many[1:]:
            if one.at is not None and loop[-1].at is not None and one.at - loop[-1].at > LOOP:
                yield loop
                loop = []
            loop.append(one)
        yield loop


def _silent(group: Group, share: Share) -> Iterator[Finding]:
    regular = sorted((run for run in share.commits if not run.given_up), key=lambda run: run.until)
    ends = [run.until for run in regular]
    for (begun, at), (until, ended) in zip(share.heard, share.heard[1:], strict=False):
        if until - at <= SILENT:
            continue
        first, last = bisect_left(ends, at - SILENT), bisect_right(ends, at)
        before = {run.member for run in regular[first:last] if run.at < at}
        had = [
            span
            for span in (share.spans if before else ())
            if span.begin <= at and span.end >= until and span.member in before
        ]
        shown = at - begun, ended - until
        sure = share.steady and min(shown) >= EACH and sum(shown) >= CONTINUOUS
        detail = phrase(
            "it logged nothing, although it commits every few seconds: it was paused, or log lines were lost"
        )
        if not sure and share.steady:
            detail = phrase(
                "the file has no lines of this time; around it, regular lines go on for less than {seconds} s, so it "
                "may be an excerpt",
                seconds=CONTINUOUS // 1000,
            )
        if not sure:
            had = [span for span in had if not _idle(share, span, (at, until))]
        for member in sorted({span.member for span in had}):
            own = [span for span in had if span.member == member]
            yield Finding(
                What.UNREAD,
                Level.SEEN if sure else Level.POSSIBLE,
                group.name,
                own[0].queue[0],
                (group.told(member),),
                tuple(Interval(span.queue, at, until) for span in own),
                detail,
                (),
                tuple(dict.fromkeys(one.last for one in own))[:2],
            )


def _idle(share: Share, span: Span, gap: tuple[int, int]) -> bool:
    """Return whether no message waited in a queue while the file has no lines.

    The offset is the same before and after, and the statistics around it show that nothing was consumed. A retry topic
    has no statistics of its own.
    """
    at, until = gap
    own = [one for one in share.commits if (one.member, one.queue) == (span.member, span.queue) and not one.given_up]
    before = max((one for one in own if one.until <= at), key=lambda one: one.until, default=None)
    after = min((one for one in own if one.at >= until), key=lambda one: one.at, default=None)
    if before is None or after is None or {after.first, after.last} != {before.last}:
        return False
    consumed = [
        one.numbers[0]
        for one in share.events
        if one.kind is Kind.CONSUMES
        and (one.topic == span.queue[0] or span.queue[0].startswith("%RETRY%"))
        and one.at is not None
        and at - MINUTE <= one.at <= until + MINUTE
    ]
    return bool(consumed) and not any(consumed)


def _waits_for_lock(group: Group) -> Iterator[Finding]:
    """Yield findings about queues that a consumer added, but did not consume until it noted their lock."""
    waits = [one for one in events(group, Kind.SAID) if one.name in WAITS and one.queue]
    locked: dict[object, list[Event]] = {}
    for one in events(group, Kind.LOCKED):
        if one.more == "held" and one.at is not None:
            locked.setdefault((one.member, one.queue), []).append(one)
    for many in episodes(waits, lambda one: (one.member, one.queue)):
        first, last = many[0], many[-1]
        assert first.queue
        until = last.until if last.until is not None else last.at
        noted = [
            one
            for one in locked.get((first.member, first.queue), ())
            if first.at is not None
            and until is not None
            and one.at is not None
            and first.at <= one.at <= until + RENEWED
        ]
        begin = first.at
        spans = [one for one in group.spans.get(first.queue, ()) if one.member == first.member and one.begins]
        if first.at is not None:
            begin = max((one.begin for one in spans if first.at - RENEWED <= one.begin <= first.at), default=first.at)
        end = noted[0].at if noted else until
        if begin is None or end is None or end - begin < WAITED:
            continue
        detail = (
            phrase("it had the queue, but did not consume it until it noted the granted lock")
            if noted
            else phrase("it had the queue, but did not consume it, because it did not know of a lock")
        )
        places = (*(one.first for one in spans[-1:]), first.where, *(one.where for one in noted[:1]))
        yield Finding(
            What.UNREAD,
            Level.SEEN,
            group.name,
            first.topic,
            (group.told(first.member),),
            (Interval(first.queue, begin, end),),
            detail,
            ("not-locked-yet",) if noted else ("not-locked-yet", "waits-for-living"),
            tuple(dict.fromkeys(places)),
        )
