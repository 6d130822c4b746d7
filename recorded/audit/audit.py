"""Audit logs without Spark: parse files, assign lines to groups, find each group's problems."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from rebalance_proofs.recorded.audit.behaviour import ids, storms, unread
from rebalance_proofs.recorded.audit.connections import gone, leavings
from rebalance_proofs.recorded.audit.denials import locks, refused
from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What, events, finding_of, times
from rebalance_proofs.recorded.audit.group import SILENT, Group, group_of, phrase
from rebalance_proofs.recorded.audit.held import held
from rebalance_proofs.recorded.audit.offsets import back
from rebalance_proofs.recorded.audit.outcome import (
    Asked,
    Audited,
    Coverage,
    File,
    GroupTold,
    audited,
    clocks,
    shown_zone,
)
from rebalance_proofs.recorded.audit.owners import listeners, nobody, two
from rebalance_proofs.recorded.audit.said import apart, corrected, limits, other_lines, unreached
from rebalance_proofs.recorded.audit.shares import shares
from rebalance_proofs.recorded.audit.stalled import stalled
from rebalance_proofs.recorded.audit.told import Event, Share, Where
from rebalance_proofs.recorded.audit.views import strategies, unlike, views
from rebalance_proofs.recorded.audit.without_queues import surplus, unlisted
from rebalance_proofs.recorded.collector import paused
from rebalance_proofs.recorded.logs.fact import Fact, Kind
from rebalance_proofs.recorded.logs.pieces import UNREADABLE, damage, part, pieces, turned
from rebalance_proofs.recorded.logs.reader import Reader
from rebalance_proofs.recorded.logs.reading import Clock, Tally
from rebalance_proofs.recorded.logs.sources import Source

# Findings about a group whose members subscribe differently, so that each heartbeat replaces the subscription.

BACK = 300_000
"""Longest time in ms from a change of a subscription to the one that reverts it; heartbeats come every 30 s."""
ARROW = " -> "


def subscriptions(group: Group) -> Iterator[Finding]:
    """Yield findings about subscriptions that a broker replaced and that came back."""
    by_topic: dict[tuple[str, str, str], list[Event]] = {}
    for one in events(group, Kind.SUBSCRIPTION):
        if one.topic and one.more and one.at is not None:
            by_topic.setdefault((one.member[1], one.topic, one.name), []).append(one)
    for (_, topic, name), own in sorted(by_topic.items()):
        own.sort(key=lambda one: (one.at or 0, one.where))
        backs = [
            pair for pair in pairwise(own) if _reverts(*pair, name) and (pair[1].at or 0) - (pair[0].at or 0) <= BACK
        ]
        if backs:
            yield _finding(group, topic, name, backs)


def _reverts(one: Event, other: Event, name: str) -> bool:
    if name == "topics-changed":
        return (one.more, other.more) == ("removed", "added")
    old, _, new = one.more.partition(ARROW)
    return old != new and other.more == f"{new}{ARROW}{old}"


def _finding(group: Group, topic: str, name: str, backs: Sequence[tuple[Event, Event]]) -> Finding:
    every = [one for pair in backs for one in pair]
    if name == "topics-changed":
        words = phrase(
            "the topic left the group's subscription and came back, {often}: members subscribe to different topics, "
            "and each heartbeat replaces those of the whole group",
            often=times(len(backs)),
        )
        return finding_of(What.VIEWS, group, (), every, words, ("subscriptions-overwritten",))
    old, _, new = every[0].more.partition(ARROW)
    words = phrase(
        "the subscription changed between {old} and {new}, and back, {often}: members subscribe to {topic} "
        "differently, and each heartbeat replaces the subscription of the whole group",
        old=old,
        new=new,
        often=times(len(backs)),
        topic=topic,
    )
    return finding_of(What.VIEWS, group, (), every, words, ("tags-differ",))


# Findings about log lines that the client model cannot produce.


def unexplained(group: Group) -> Iterator[Finding]:
    """Yield a finding for each line that no behaviour of the client model explains.

    There are none if the user did not request the check against the model.
    """
    for share in group.shares:
        members = tuple(group.told(one) for one in share.members)
        for one in share.held.unexplained if share.held else ():
            yield Finding(
                What.MODEL,
                Level.SEEN,
                group.name,
                one.topic,
                members,
                (Interval(one.queue, one.at, one.at),),
                phrase("{line}. Possible explanation: {fault}", line=one.words, fault=one.fault),
                (),
                (one.where,),
            )


# Collect all findings of a group.

EVERY = (
    two,
    nobody,
    stalled,
    apart,
    strategies,
    views,
    subscriptions,
    unlike,
    back,
    listeners,
    locks,
    refused,
    unlisted,
    corrected,
    gone,
    unreached,
    storms,
    ids,
    unread,
    surplus,
    other_lines,
    unexplained,
)
DETAILED = (What.MODEL, What.STALLED, What.CORRECTED, What.LINES)
"""Kinds of findings that are joined only if their sentences are equal."""
TOGETHER = 3_000
"""Longest difference in ms between changes of ownership that belong to one rebalance."""
ORDER = {what: place for place, what in enumerate(What)}


def findings(group: Group) -> list[Finding]:
    """Return all findings, sorted by kind and time.

    Queues with the same problem at the same time share a finding.
    """
    return _together(one for finder in EVERY for one in finder(group))


def _together(every: Iterable[Finding]) -> list[Finding]:
    found: list[Finding] = []
    for one in sorted(every, key=_key):
        twin = next(
            (place for place in range(len(found) - 1, max(-1, len(found) - 40), -1) if _alike(found[place], one)), None
        )
        if twin is None:
            found.append(one)
        else:
            before = found[twin]
            found[twin] = replace(
                before,
                intervals=(*before.intervals, *one.intervals),
                evidence=tuple(dict.fromkeys((*before.evidence, *one.evidence)))[:12],
                numbers={**before.numbers, "lines": before.numbers.get("lines", 0) + one.numbers.get("lines", 0)},
            )
    return found


def _key(one: Finding) -> tuple[object, ...]:
    return (ORDER[one.what], one.at or 0, one.level, one.members, one.topic, str(one.intervals[0].queue))


def _alike(one: Finding, other: Finding) -> bool:
    return (
        one.what is other.what
        and one.level is other.level
        and one.members == other.members
        and one.topic == other.topic
        and one.causes == other.causes
        and (one.what not in DETAILED or one.detail == other.detail)
        and one.intervals[0].queue is not None
        and other.intervals[0].queue is not None
        and abs((one.at or 0) - (other.at or 0)) <= TOGETHER
        and abs((one.intervals[0].until or 0) - (other.until or 0)) <= TOGETHER
    )


def read_part(source: Source, clock: Clock, begin: int, end: int | None) -> tuple[list[Fact], Tally, str]:
    """Parse a byte range of a file.

    Return its facts, its line counts, and the error that ended parsing early, or "".
    """
    reader, ended = Reader(clock), ""
    try:
        if source.whole:
            content, reader.tally.turned = part(pieces(source.path), source.label, source.labels)
            reader.feed(content)
        elif source.descends:
            content, reader.tally.turned = turned(pieces(source.path))
            reader.feed(content)
        else:
            for piece in pieces(source.path, begin, end):
                reader.feed(piece)
    except UNREADABLE as error:
        ended = damage(error)
    except OSError as error:
        ended = (error.strerror or "the file cannot be read").lower()
    reader.end()
    return reader.facts, reader.tally, ended


def log_shares(
    series: str, files: Sequence[tuple[str, Sequence[Fact]]], asked: Asked, zone_known: bool, tallies: Iterable[Tally]
) -> list[Share]:
    """Return what one log contains about each requested group.

    The log may be rotated into several files. ``series``: the log's name; ``files``: each file's name and facts.
    ``tallies`` are the line counts of its files, or of parts of files.
    """
    found = shares(series, files, zone_known)
    every = list(tallies)
    days_known = not any(one.no_date or one.no_year or one.either for one in every)
    steady = not any(one.back for one in every)
    found = [replace(one, days_known=days_known, steady=steady, ends_shown=_ends_shown(one)) for one in found]
    kept = [one for one in found if not asked.group or one.group == asked.group]
    if asked.model:
        kept = [replace(one, held=held(one.group, files, every)) if one.members else one for one in kept]
    return [_narrowed(one, asked) for one in kept]


def _ends_shown(share: Share) -> bool:
    return bool(share.views or share.commits or any(one.ends for one in share.spans) or not share.spans)


def _narrowed(share: Share, asked: Asked) -> Share:
    views = share.views
    if asked.strategy:
        views = [replace(one, strategy=one.strategy or asked.strategy) for one in views]
    if not asked.topic:
        return replace(share, views=views)
    held = share.held
    return replace(
        share,
        held=held and replace(held, unexplained=tuple(one for one in held.unexplained if one.topic == asked.topic)),
        spans=[one for one in share.spans if one.queue[0] == asked.topic],
        views=[one for one in views if one.topic == asked.topic],
        commits=[one for one in share.commits if one.queue[0] == asked.topic],
        starts=[one for one in share.starts if one.queue[0] == asked.topic],
        events=[one for one in share.events if one.topic in ("", asked.topic)],
        routes={topic: queues for topic, queues in share.routes.items() if topic == asked.topic},
    )


def told_of(name: str, own: Sequence[Share], asked: Asked) -> GroupTold:
    """Return a group's findings, and the data that reports print about the group.

    ``own``: what each log contains about the group.
    """
    group = group_of(name, own, asked.tolerate)
    every = [one for one in findings(group) if _within(one.at, one.until, asked)]
    spans = [one for share in group.shares for one in share.spans if _within(one.begin, one.end, asked)]
    dated = [view for share in group.shares for view in share.views if view.at is not None]
    return GroupTold(
        name,
        sorted(spans, key=lambda one: (one.queue, one.begin, one.member)),
        [
            (group.told(one.member), one.at)
            for share in group.shares
            for one in share.events
            if one.kind is Kind.NOTIFIED and one.at is not None
        ],
        [(group.told(one.member), one.at) for one in dated if one.at is not None],
        [_coverage(group, share) for share in group.shares if share.members],
        group.mirrored,
        every,
        len({client for client, _ in group.members})
        if group.everyone
        else max((view.cid_all for share in group.shares for view in share.views), default=0),
        sum(
            len(share.spans)
            + len(share.views)
            + sum(1 for one in share.events if one.topic or not asked.topic)
            + len(share.routes) * bool(asked.topic)
            + len(share.commits)
            + share.undated
            + (0 if name else share.unnamed)
            for share in group.shares
        ),
        {member: group.told(member) for member in group.members},
        limits(group),
        tuple(one for one in leavings(group) if _within(one.at, one.at, asked)),
    )


def _within(at: int | None, until: int | None, asked: Asked) -> bool:
    if at is None:
        return True
    after = asked.begin is None or (until if until is not None else at) >= asked.begin
    return after and (asked.end is None or at <= asked.end)


def _coverage(group: Group, share: Share) -> Coverage:
    apart = [ms for pair, ms in group.apart.items() if share.log in pair]
    silences = [
        (at, until)
        for (_, at), (until, _) in zip(share.heard, share.heard[1:], strict=False)
        if share.commits_at_all
        and until - at > SILENT
        and any(one.begin <= until and one.end > at for one in share.spans)
    ]
    return Coverage(
        share.log,
        tuple(share.members),
        share.first,
        share.last,
        tuple(silences),
        share.version,
        share.zone_known,
        share.commits_at_all,
        min(apart, default=None),
        group.other_zone(share.log),
        share.unnamed,
        share.undated,
        share.held,
    )


def renumbered(told: Audited) -> Audited:
    """Give lines their own numbers in the file, and return the result.

    Logs whose newest line comes first are read from their end, and those in combined files one by one.
    """
    numbers = {one.name: (one.whole or one.name, one.tally.turned) for one in told.files if one.tally.turned}

    def own(where: Where) -> Where:
        file, line = where
        return (numbers[file][0], numbers[file][1][line - 1]) if file in numbers and line else where

    for group in told.groups if numbers else ():
        group.spans = [replace(one, first=own(one.first), last=own(one.last)) for one in group.spans]
        group.findings = [replace(one, evidence=tuple(map(own, one.evidence))) for one in group.findings]
        group.leavings = tuple(replace(one, where=own(one.where)) for one in group.leavings)
    for file in told.files:
        if file.name in numbers:
            _renumber(file.tally)
    return told


def _renumber(tally: Tally) -> None:
    own = tally.turned
    for sight in tally.sights.values():
        sight.line, sight.last_line = own[sight.line - 1], own[sight.last_line - 1]
    if tally.example:
        number, _, text = tally.example.partition(":")
        tally.example = f"{own[int(number) - 1]}:{text}"


@paused()
def audit(found: Sequence[Source], asked: Asked) -> Audited:
    """Audit all files in this process.

    Raises ``NotThere`` if the user names a file that is not among them.
    """
    known = clocks(found, asked)
    files: list[File] = []
    by_group: dict[str, list[Share]] = {}
    series: dict[str, list[Source]] = {}
    for one in found:
        series.setdefault(one.series, []).append(one)
    for name, own in series.items():
        facts, tallies = [], []
        for source in own:
            clock, zone_known = known[source.name]
            read, tally, ended = read_part(source, clock, 0, None if source.packed else source.size)
            facts.append((source.name, read))
            tallies.append(tally)
            files.append(File(source.name, tally, zone_known, ended, source.whole))
        for share in log_shares(name, facts, asked, all(known[source.name][1] for source in own), tallies):
            by_group.setdefault(share.group, []).append(share)
    told = audited(
        (told_of(name, own_shares, asked) for name, own_shares in by_group.items()),
        files,
        shown_zone(found, asked),
        asked.topic,
    )
    return renumbered(told)
