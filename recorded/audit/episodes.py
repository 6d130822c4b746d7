"""Findings that are many lines of one kind: denied locks, refused pulls, storms, silence; and ids had twice."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterator, Sequence

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.group import SILENT, Group
from rebalance_proofs.recorded.audit.times import intersection
from rebalance_proofs.recorded.audit.told import Event, Share
from rebalance_proofs.recorded.logs.fact import Kind
from rebalance_proofs.recorded.logs.readings import FAILED

__all__ = ["ids", "locks", "refused", "storms", "unread"]

APART = 30_000
"""ms between two lines of one episode at most: a client rebalances every 20 s."""
STORM, WITHIN = 10, 60_000
"""Rebalances or notifications of one member within so many ms that make a storm."""


def _episodes(events: Sequence[Event], key: Callable[[Event], Hashable]) -> Iterator[list[Event]]:
    """Events of one key, cut where they pause."""
    own: dict[Hashable, list[Event]] = {}
    for one in sorted(events, key=lambda event: (event.at or 0, event.where)):
        own.setdefault(key(one), []).append(one)
    for many in own.values():
        episode = [many[0]]
        for one in many[1:]:
            if one.at is not None and episode[-1].at is not None and one.at - episode[-1].at > APART:
                yield episode
                episode = []
            episode.append(one)
        yield episode


def _events(group: Group, *kinds: Kind) -> list[Event]:
    return [one for share in group.shares for one in share.events if one.kind in kinds]


def _finding(
    what: What, group: Group, members: Sequence[str], episode: Sequence[Event], detail: str, causes: tuple[str, ...]
) -> Finding:
    first, last = episode[0], episode[-1]
    return Finding(
        what,
        Level.SEEN,
        group.name,
        first.topic or (first.queue[0] if first.queue else ""),
        tuple(dict.fromkeys(one for one in members if one)),
        (Interval(first.queue, first.at, last.at),),
        detail,
        causes,
        tuple(dict.fromkeys((first.where, last.where))),
        {"lines": len(episode)},
    )


def locks(group: Group) -> Iterator[Finding]:
    """A member's own lines; where it has none, the broker's."""
    own = [one for one in _events(group, Kind.DENIED, Kind.LOCK_FAILED) if one.queue]
    said = {(one.member[0], one.queue) for one in own}
    denied = [one for one in own if one.kind is Kind.DENIED]
    both = {(one.member, one.queue, (one.at or 0) // 1000) for one in denied}
    renewals = [one for one in own if one.kind is Kind.LOCK_FAILED]
    asked = [
        one
        for one in renewals
        if not any((one.member, one.queue, (one.at or 0) // 1000 + step) in both for step in (-1, 0, 1, 2))
    ]
    had: dict[Hashable, set[str]] = {}
    for one in _events(group, Kind.LOCKED_BY_OTHER):
        had.setdefault((one.member[0], one.queue), set()).add(one.more)
    for episode in _episodes([*denied, *asked], lambda one: (one.member, one.queue)):
        many = len(episode)
        holders = sorted(had.get((episode[0].member[0], episode[0].queue), ()))
        detail = f"denied {many} times" if many > 1 else "denied once"
        if holders:
            detail += f"; {', '.join(holders)} had it"
        causes = ("waits-for-living", "waits-for-crashed", "waits-for-shut-down")
        yield _finding(What.LOCKS, group, (group.told(episode[0].member), *holders), episode, detail, causes)
    others = [one for one in _events(group, Kind.LOCKED_BY_OTHER) if (one.member[0], one.queue) not in said]
    for episode in _episodes(others, lambda one: (one.member[0], one.queue, one.more)):
        detail = f"denied {len(episode)} times; {episode[0].more} had it"
        members = (episode[0].member[0], episode[0].more)
        yield _finding(What.LOCKS, group, members, episode, detail, ("waits-for-living", "waits-for-crashed"))


REASONS = (
    (re.compile("not latest", re.I), "the broker's subscription is older", ("subscription-not-latest",)),
    (
        re.compile("subscription not exist", re.I),
        "the broker has no subscription of it",
        ("subscriptions-overwritten",),
    ),
    (re.compile("group info not exist", re.I), "the broker has no consumer of the group", ("broker-comes-back",)),
    (re.compile("^offset illegal"), "the broker does not have the offset, and proposes another", ("offset-illegal",)),
)


def _reason(one: Event) -> tuple[str, tuple[str, ...]]:
    for pattern, words, causes in REASONS:
        if pattern.search(one.more):
            return words, causes
    if one.more.startswith(FAILED):
        return f"they {one.more.replace(':', ' by', 1)}", ("broker-unreachable",)
    return one.more or "it is not said why", ()


def refused(group: Group) -> Iterator[Finding]:
    """Refused pulls, by member and reason; a broker's own lines where no member tells of any."""
    own = _events(group, Kind.REFUSED)
    for episode in _episodes(own or _events(group, Kind.REFUSES), lambda one: (one.member, _reason(one)[0])):
        words, causes = _reason(episode[0])
        many = f"{len(episode)} times" if len(episode) > 1 else "once"
        members = (group.told(episode[0].member),) if own else ()
        yield _finding(What.REFUSED, group, members, episode, f"{many}: {words}", causes)


def storms(group: Group) -> Iterator[Finding]:
    """Members that rebalance again and again."""
    for share in group.shares:
        for member in share.members:
            events = sorted(
                (
                    one
                    for one in share.events
                    if one.kind is Kind.NOTIFIED and one.member == member and one.at is not None
                ),
                key=lambda one: (one.at or 0, one.where),
            )
            place = 0
            while place < len(events):
                end = place
                while end + 1 < len(events) and (events[end + 1].at or 0) - (events[place].at or 0) <= WITHIN:
                    end += 1
                if end - place + 1 >= STORM:
                    while (
                        end + 1 < len(events) and (events[end + 1].at or 0) - (events[end].at or 0) <= WITHIN // STORM
                    ):
                        end += 1
                    episode = events[place : end + 1]
                    detail = f"notified {len(episode)} times that the group had changed"
                    yield _finding(What.STORM, group, (group.told(member),), episode, detail, ("storm",))
                place = end + 1


def ids(group: Group) -> Iterator[Finding]:
    """One client id in two logs at once; one in a list twice; one connection with two ids."""
    by_client: dict[str, list[str]] = {}
    for client, log in group.members:
        if not client.startswith("("):
            by_client.setdefault(client, []).append(log)
    for client, logs in by_client.items():
        for place, one in enumerate(logs):
            for other in logs[place + 1 :]:
                both = intersection(group.heard(one), group.heard(other))
                longest = max(both, key=lambda pair: pair[1] - pair[0], default=None)
                if longest is None or longest[1] - longest[0] <= group.tolerance(one, other):
                    continue
                yield Finding(
                    What.IDS,
                    Level.SEEN if group.sure_clocks(one, other) else Level.POSSIBLE,
                    group.name,
                    "",
                    (f"{client} in {one}", f"{client} in {other}"),
                    (Interval(None, both[0][0], both[-1][1]),),
                    f"two logs that go on at the same time are of {client}",
                    ("same-client-id",),
                    tuple(_first(group.by_log[log]) for log in (one, other)),
                )
    for event in _events(group, Kind.NOT_LISTED):
        listed = [one.strip() for one in event.more.strip().strip("[]").split(",")]
        twice = sorted({one for one in listed if one and listed.count(one) > 1})
        if twice:
            detail = f"a broker lists {', '.join(twice)} twice"
            yield _finding(What.IDS, group, twice, [event], detail, ("same-client-id",))
    for event in _events(group, Kind.IDS_DIFFER):
        detail = "one connection has two client ids"
        yield _finding(What.IDS, group, (event.member[0], event.more), [event], detail, ("second-channel",))


def _first(share: Share) -> tuple[str, int]:
    places = (
        [one.where for one in share.views] + [one.where for one in share.commits] + [one.first for one in share.spans]
    )
    return min(places, default=("", 0))


def unread(group: Group) -> Iterator[Finding]:
    """Members that have queues and are silent, that were suspended, or whose entries were not pulled."""
    for share in group.shares:
        regular = sorted((run for run in share.commits if not run.given_up), key=lambda run: run.until)
        ends = [run.until for run in regular]
        for (_, at), (until, _) in zip(share.heard, share.heard[1:], strict=False):
            if until - at <= SILENT:
                continue
            first, last = bisect_left(ends, at - SILENT), bisect_right(ends, at)
            before = {(run.member, run.queue) for run in regular[first:last] if run.at < at}
            had = [
                span
                for span in (share.spans if before else ())
                if span.begin < at and span.end >= until and (span.member, span.queue) in before
            ]
            for member in sorted({span.member for span in had}):
                own = [span for span in had if span.member == member]
                yield Finding(
                    What.UNREAD,
                    Level.SEEN if share.steady else Level.POSSIBLE,
                    group.name,
                    own[0].queue[0],
                    (group.told(member),),
                    tuple(Interval(span.queue, at, until) for span in own),
                    "its log is silent, though it commits every few seconds: it stood still, or its log lost lines",
                    (),
                    tuple(dict.fromkeys(one.last for one in own))[:2],
                )
    for episode in _episodes(_events(group, Kind.NOT_PULLED), lambda one: (one.member, one.queue)):
        detail = "nothing was pulled for two minutes"
        yield _finding(What.UNREAD, group, (group.told(episode[0].member),), episode, detail, ("expired-pull",))
    for episode in _episodes(_events(group, Kind.PAUSED), lambda one: one.member):
        detail = f"it was suspended: {len(episode)} pulls were put off"
        yield _finding(What.UNREAD, group, (group.told(episode[0].member),), episode, detail, ("suspended",))
