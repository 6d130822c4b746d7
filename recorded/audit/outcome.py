"""The result of an audit, as data for the reports."""

import fnmatch
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from rebalance_proofs.recorded.audit.connections import Leaving
from rebalance_proofs.recorded.audit.finding import Finding
from rebalance_proofs.recorded.audit.told import Held, Member, Span
from rebalance_proofs.recorded.logs.reading import Clock, Tally
from rebalance_proofs.recorded.logs.sources import GMT8, NotThere, Source

# The user's options for an audit, and the clock that they give to each log file.


@dataclass(frozen=True)
class Asked:
    """The user's options for an audit."""

    zone: int | None = None
    """Offset from UTC in ms of the logs' time zone, for lines that do not state their zone."""
    zones: tuple[tuple[str, int], ...] = ()
    """Offsets from UTC for single files, each as (file name or pattern, ms)."""
    clocks: tuple[tuple[str, int], ...] = ()
    """Clock differences, as (file name or pattern, ms by which its clock is ahead of others)."""
    tolerate: int = 1_000
    """Tolerated difference in ms between the clocks of two logs."""
    group: str = ""
    topic: str = ""
    begin: int | None = None
    """Start of the reported time in ms.

    Ownership intervals and findings that ended before are left out.
    """
    end: int | None = None
    strategy: str = ""
    """RocketMQ's name of the allocation strategy, for rebalance results that do not name one."""
    model: bool = False
    """True if the lines of each consumer are also checked against the client model."""


def shown_zone(found: Iterable[Source], asked: Asked) -> int:
    """Return the time zone in which times are printed, as its offset from UTC in ms.

    The user's zone comes first. Without one, it is the zone that the logs state. If they state several, it is GMT+8 if
    one log is a broker's or a newer client's, else 0.
    """
    if asked.zone is not None:
        return asked.zone
    stated = {one.zone for one in found if one.zone is not None}
    return stated.pop() if len(stated) == 1 else GMT8 if GMT8 in stated else 0


def clocks(found: Sequence[Source], asked: Asked) -> dict[str, tuple[Clock, bool]]:
    """Return file name -> (its clock, whether its time zone is known).

    Raises ``NotThere`` for a name in the user's options that no file has.
    """
    shown = shown_zone(found, asked)
    zones, shifts = _by_name(found, asked.zones), _by_name(found, asked.clocks)
    made = {}
    dated = any(one.first is not None for one in found)
    for one in found:
        zone = zones.get(one.name, one.zone if one.zone is not None else shown)
        known = one.name in zones or one.zone is not None or asked.zone is not None
        made[one.name] = Clock(zone, -shifts.get(one.name, 0), one.year, one.day if dated else 0, one.order), known
    return made


def _by_name(found: Sequence[Source], said: Iterable[tuple[str, int]]) -> Mapping[str, int]:
    values: dict[str, int] = {}
    for name, value in said:
        fits = [one.name for one in found if _fits(one.name, name)]
        if not fits:
            raise NotThere(f"no log file is called {name!r}; use the name of one of the audited files")
        values |= dict.fromkeys(fits, value)
    return values


def _fits(name: str, pattern: str) -> bool:
    path = PurePath(name)
    return pattern in (name, path.name) or fnmatch.fnmatch(name, pattern) or fnmatch.fnmatch(path.name, pattern)


@dataclass(frozen=True)
class File:
    """Result of parsing one log file."""

    name: str
    tally: Tally
    zone_known: bool
    damage: str = ""
    """Error that ended parsing early, or ""."""
    whole: str = ""
    """Name of the file on disk, if it contains several logs; else ""."""

    @property
    def incomplete(self) -> bool:
        """True if the file was not read to its end, or ends within a line."""
        return bool(self.damage) or self.tally.truncated


@dataclass(frozen=True)
class Coverage:
    """What one log contains about one group: consumers, times, and limits of the data."""

    log: str
    members: tuple[Member, ...]
    first: int | None
    last: int | None
    silences: tuple[tuple[int, int], ...]
    """Intervals in ms without a line, in a log whose consumers commit regularly and had a queue at that time."""
    version: str
    zone_known: bool
    commits: bool
    apart: int | None
    """Smallest measured difference in ms to another log's clock; None if none was measured."""
    other_zone: int | None
    unnamed: int
    undated: int
    held: Held | None
    """Result of the check against the client model; None if the user did not request the check."""


@dataclass
class GroupTold:
    """Findings about one group, and the data that reports print about it."""

    name: str
    spans: list[Span]
    notices: list[tuple[str, int]]
    """Notifications of membership changes, each as (consumer, time in ms)."""
    rebalances: list[tuple[str, int]]
    """Rebalances that changed a process queue table, each as (consumer, time in ms)."""
    coverage: list[Coverage]
    mirrored: list[tuple[str, str]]
    findings: list[Finding]
    seen_members: int
    """Largest size of cidAll in a logged rebalance result.

    If it exceeds the number of consumers in ``coverage``, the logs of some consumers are missing.
    """
    lines: int
    """Number of log lines, or runs of commits, about the group."""
    names: dict[Member, str] = field(default_factory=dict)
    limits: tuple[str, ...] = ()
    """What the lines cannot show because they are too few, as phrases."""
    leavings: tuple[Leaving, ...] = ()
    """Consumers that left the group, sorted by time."""

    def called(self, member: Member) -> str:
        """Return a consumer's client id, followed by the log's name if several logs have this id."""
        return self.names.get(member, member[0])


@dataclass
class Audited:
    """The result of auditing all given logs."""

    groups: list[GroupTold]
    files: list[File]
    zone: int
    """Offset from UTC in ms of the zone in which times are printed."""
    nameless: int = 0
    """Number of lines about queues or pulls whose group could not be determined."""

    @property
    def stated(self) -> bool:
        """True if the time zone of at least one file is known."""
        return any(one.zone_known for one in self.files)


def audited(told: Iterable[GroupTold], files: list[File], zone: int, topic: str = "") -> Audited:
    """Return the audit's result; groups with a consumer's log come first.

    Lines without a group's name are only counted, unless they show a finding; then they are a group without a name.
    With a ``topic``, groups without a line about it are left out.
    """
    every = [one for one in told if one.lines or not topic]
    groups = sorted(
        (one for one in every if one.name or one.findings),
        key=lambda one: (not one.name, not one.coverage, one.name),
    )
    return Audited(groups, files, zone, sum(one.lines for one in every if not one.name and not one.findings))


def digest(groups: Iterable[GroupTold]) -> str:
    """Return a hash of all groups' ownership intervals and findings.

    It is the same however the work was divided, for example by Spark.
    """
    made = hashlib.blake2b(digest_size=16)
    for group in sorted(groups, key=lambda one: one.name):
        for span in sorted(group.spans, key=lambda one: (one.queue, one.begin, one.end, one.member)):
            made.update(repr((group.name, span)).encode())
        for one in group.findings:
            made.update(repr(one).encode())
    return made.hexdigest()
