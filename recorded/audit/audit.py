"""The audit of logs in this process: files to facts, facts to shares, shares to groups and their findings."""

import fnmatch
import hashlib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from rebalance_proofs.recorded.audit.finding import Finding
from rebalance_proofs.recorded.audit.findings import findings
from rebalance_proofs.recorded.audit.group import SILENT, Group, group_of
from rebalance_proofs.recorded.audit.held import held
from rebalance_proofs.recorded.audit.shares import shares
from rebalance_proofs.recorded.audit.told import Held, Member, Share, Span
from rebalance_proofs.recorded.collector import paused
from rebalance_proofs.recorded.logs.error import NotThere
from rebalance_proofs.recorded.logs.fact import Fact, Kind
from rebalance_proofs.recorded.logs.pieces import pieces
from rebalance_proofs.recorded.logs.reader import Clock, Reader, Tally
from rebalance_proofs.recorded.logs.sources import GMT8, Source

__all__ = [
    "Asked",
    "Audited",
    "Coverage",
    "File",
    "GroupTold",
    "audit",
    "audited",
    "clocks",
    "digest",
    "log_shares",
    "read_part",
    "shown_zone",
    "told_of",
]


@dataclass(frozen=True)
class Asked:
    """What the user says of the logs."""

    zone: int | None = None
    """ms by which clocks on lines are ahead of UTC, where their form does not tell."""
    zones: tuple[tuple[str, int], ...] = ()
    """The same for files by name."""
    clocks: tuple[tuple[str, int], ...] = ()
    """(file, ms by which its clock is ahead of the others')."""
    tolerate: int = 1_000
    """ms by which clocks can be apart."""
    group: str = ""
    topic: str = ""
    begin: int | None = None
    """ms; what ended before is left out."""
    end: int | None = None
    strategy: str = ""
    """RocketMQ's name of the strategy of results that do not say it."""
    model: bool = False
    """Whether each member's lines are held against the model."""


@dataclass(frozen=True)
class File:
    """What was read of one file."""

    name: str
    tally: Tally
    zone_known: bool
    damage: str = ""
    """Why it was not read to its end; "" if it was."""


@dataclass(frozen=True)
class Coverage:
    """What one log covers of one group."""

    log: str
    members: tuple[Member, ...]
    first: int | None
    last: int | None
    silences: tuple[tuple[int, int], ...]
    """Times without a line, of a log that commits regularly."""
    version: str
    zone_known: bool
    commits: bool
    apart: int | None
    """ms by which its clock is from another's at most; None where nothing compares them."""
    other_zone: int | None
    unnamed: int
    undated: int
    held: Held | None
    """What the model says of its lines, if it was asked."""


@dataclass
class GroupTold:
    """One group, as reports show it."""

    name: str
    spans: list[Span]
    notices: list[tuple[str, int]]
    """(member, ms) of each notification."""
    rebalances: list[tuple[str, int]]
    """(member, ms) of each rebalance that changed a table."""
    coverage: list[Coverage]
    mirrored: list[tuple[str, str]]
    findings: list[Finding]
    seen_members: int
    """Most members that a view of theirs counts; there are no logs of those beyond ``coverage``."""
    lines: int
    """Facts about the group."""
    names: dict[Member, str] = field(default_factory=dict)

    def called(self, member: Member) -> str:
        """A member's name: its client id, with its log where another log has the same id."""
        return self.names.get(member, member[0])


@dataclass
class Audited:
    """The whole result."""

    groups: list[GroupTold]
    files: list[File]
    zone: int
    """ms ahead of UTC of the times that are shown."""
    nameless: int = 0
    """Lines that tell of queues or pulls, and could be of several groups, or of one that no line names."""


def audited(told: Iterable[GroupTold], files: list[File], zone: int) -> Audited:
    """All groups, those with members of which there is a log first; what stands under no name is counted."""
    every = list(told)
    groups = sorted((one for one in every if one.name), key=lambda one: (not one.coverage, one.name))
    return Audited(groups, files, zone, sum(one.lines for one in every if not one.name))


def shown_zone(found: Iterable[Source], asked: Asked) -> int:
    """ms ahead of UTC: as the user says; as brokers and newer clients log, if one of the logs is theirs; else as is."""
    if asked.zone is not None:
        return asked.zone
    return GMT8 if any(one.zone == GMT8 for one in found) else 0


def clocks(found: Sequence[Source], asked: Asked) -> dict[str, tuple[Clock, bool]]:
    """Each file's clock, and whether its zone is known. Raises ``NotThere`` for a name that no file has."""
    shown = shown_zone(found, asked)
    zones, shifts = _by_name(found, asked.zones), _by_name(found, asked.clocks)
    made = {}
    for one in found:
        zone = zones.get(one.name, one.zone if one.zone is not None else shown)
        known = one.name in zones or one.zone is not None or asked.zone is not None
        made[one.name] = Clock(zone, -shifts.get(one.name, 0), one.year, one.day, one.month_first), known
    return made


def _by_name(found: Sequence[Source], said: Iterable[tuple[str, int]]) -> Mapping[str, int]:
    values: dict[str, int] = {}
    for name, value in said:
        fits = [one.name for one in found if _fits(one.name, name)]
        if not fits:
            raise NotThere(f"no file that is read is called {name!r}")
        values |= dict.fromkeys(fits, value)
    return values


def _fits(name: str, pattern: str) -> bool:
    path = PurePath(name)
    return pattern in (name, path.name) or fnmatch.fnmatch(name, pattern) or fnmatch.fnmatch(path.name, pattern)


def read_part(source: Source, clock: Clock, begin: int, end: int | None) -> tuple[list[Fact], Tally, str]:
    """Facts and tally of a part of a file, and what ended its reading early; "" for nothing."""
    reader, damage = Reader(clock), ""
    try:
        for piece in pieces(source.path, begin, end):
            reader.feed(piece)
    except (EOFError, zlib.error) as error:
        damage = f"it is packed, and damaged: {error}"
    except OSError as error:
        damage = (error.strerror or "it cannot be read").lower()
    reader.end()
    return reader.facts, reader.tally, damage


def log_shares(
    series: str, files: Sequence[tuple[str, Sequence[Fact]]], asked: Asked, zone_known: bool, tallies: Iterable[Tally]
) -> list[Share]:
    """What one log says of each group that was asked for; ``tallies`` of its files, or of parts of them."""
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
        events=[one for one in share.events if one.topic in ("", asked.topic)],
        routes={topic: queues for topic, queues in share.routes.items() if topic == asked.topic},
    )


def told_of(name: str, own: Sequence[Share], asked: Asked) -> GroupTold:
    """A group's findings, and what reports show of it."""
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
        max((view.cid_all for share in group.shares for view in share.views), default=0),
        sum(
            len(share.spans)
            + len(share.views)
            + len(share.events)
            + len(share.commits)
            + share.undated
            + (0 if name else share.unnamed)
            for share in group.shares
        ),
        {member: group.told(member) for member in group.members},
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
        if share.commits_at_all and until - at > SILENT
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


@paused()
def audit(found: Sequence[Source], asked: Asked) -> Audited:
    """All of it, here. Raises ``NotThere`` for a file that the user names and that is not among these."""
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
            read, tally, damage = read_part(source, clock, 0, None if source.packed else source.size)
            facts.append((source.name, read))
            tallies.append(tally)
            files.append(File(source.name, tally, zone_known, damage))
        for share in log_shares(name, facts, asked, all(known[source.name][1] for source in own), tallies):
            by_group.setdefault(share.group, []).append(share)
    return audited(
        (told_of(name, own_shares, asked) for name, own_shares in by_group.items()), files, shown_zone(found, asked)
    )


def digest(groups: Iterable[GroupTold]) -> str:
    """Of all groups' entries and findings: equal however the work was divided."""
    made = hashlib.blake2b(digest_size=16)
    for group in sorted(groups, key=lambda one: one.name):
        for span in sorted(group.spans, key=lambda one: (one.queue, one.begin, one.end, one.member)):
            made.update(repr((group.name, span)).encode())
        for one in group.findings:
            made.update(repr(one).encode())
    return made.hexdigest()
