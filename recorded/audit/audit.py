"""Audit logs without Spark: parse files, assign lines to groups, find each group's problems."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rebalance_proofs.recorded.audit.asked import Asked, clocks, shown_zone
from rebalance_proofs.recorded.audit.findings import findings
from rebalance_proofs.recorded.audit.group import SILENT, Group, group_of
from rebalance_proofs.recorded.audit.held import held
from rebalance_proofs.recorded.audit.leaving import leavings
from rebalance_proofs.recorded.audit.limits import limits
from rebalance_proofs.recorded.audit.outcome import Audited, Coverage, File, GroupTold, audited
from rebalance_proofs.recorded.audit.shares import shares
from rebalance_proofs.recorded.audit.told import Share, Where
from rebalance_proofs.recorded.collector import paused
from rebalance_proofs.recorded.logs.combined import part
from rebalance_proofs.recorded.logs.fact import Fact, Kind
from rebalance_proofs.recorded.logs.pieces import UNREADABLE, damage, pieces
from rebalance_proofs.recorded.logs.reader import Reader
from rebalance_proofs.recorded.logs.reversing import turned
from rebalance_proofs.recorded.logs.sources import Source
from rebalance_proofs.recorded.logs.tally import Clock, Tally


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
