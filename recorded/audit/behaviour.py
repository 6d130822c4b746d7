"""Findings about single consumers: rebalance storms, silent logs, duplicate client ids."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from rebalance_proofs.recorded.audit.episodes import episodes, events, finding_of
from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.group import SILENT, Group
from rebalance_proofs.recorded.audit.times import intersection
from rebalance_proofs.recorded.audit.told import Share
from rebalance_proofs.recorded.logs.fact import Kind

__all__ = ["ids", "storms", "unread"]

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
                detail = f"received {len(episode)} notifications that the group had changed"
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
                    f"two logs of the same period are from {client}",
                    ("same-client-id",),
                    tuple(_first(group.by_log[log]) for log in (one, other)),
                )
    for event in events(group, Kind.NOT_LISTED):
        listed = [one.strip() for one in event.more.strip().strip("[]").split(",")]
        twice = sorted({one for one in listed if one and listed.count(one) > 1})
        if twice:
            detail = f"a broker lists {', '.join(twice)} twice in cidAll"
            yield finding_of(What.IDS, group, twice, [event], detail, ("same-client-id",))
    for event in events(group, Kind.IDS_DIFFER):
        detail = "one connection sent heartbeats with two client ids"
        yield finding_of(What.IDS, group, (event.member[0], event.more), [event], detail, ("second-channel",))


def _first(share: Share) -> tuple[str, int]:
    places = (
        [one.where for one in share.views] + [one.where for one in share.commits] + [one.first for one in share.spans]
    )
    return min(places, default=("", 0))


def unread(group: Group) -> Iterator[Finding]:
    """Yield findings about consumers that own queues but do not read them.

    Such a consumer is silent, was suspended, or had an expired pull.
    """
    for share in group.shares:
        regular = sorted((run for run in share.commits if not run.given_up), key=lambda run: run.until)
        ends = [run.until for run in regular]
        for (_, at), (until, _) in zip(share.heard, share.heard[1:], strict=False):
            if until - at <= SILENT:
                continue
            first, last = bisect_left(ends, at - SILENT), bisect_right(ends, at)
            before = {run.member for run in regular[first:last] if run.at < at}
            had = [
                span
                for span in (share.spans if before else ())
                if span.begin <= at and span.end >= until and span.member in before
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
                    "it logged nothing, although it commits every few seconds: it was paused, or log lines were lost",
                    (),
                    tuple(dict.fromkeys(one.last for one in own))[:2],
                )
    for episode in episodes(events(group, Kind.NOT_PULLED), lambda one: (one.member, one.queue)):
        detail = "it did not pull for two minutes"
        yield finding_of(What.UNREAD, group, (group.told(episode[0].member),), episode, detail, ("expired-pull",))
    for episode in episodes(events(group, Kind.PAUSED), lambda one: one.member):
        detail = f"it was suspended: {len(episode)} pulls were postponed"
        yield finding_of(What.UNREAD, group, (group.told(episode[0].member),), episode, detail, ("suspended",))
