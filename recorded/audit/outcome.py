"""The result of an audit, for the reports."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from rebalance_proofs.recorded.audit.finding import Finding
from rebalance_proofs.recorded.audit.told import Held, Member, Span
from rebalance_proofs.recorded.logs.reader import Tally

__all__ = ["Audited", "Coverage", "File", "GroupTold", "audited", "digest"]


@dataclass(frozen=True)
class File:
    """Result of parsing one file."""

    name: str
    tally: Tally
    zone_known: bool
    damage: str = ""
    """Error that ended parsing early, or ""."""


@dataclass(frozen=True)
class Coverage:
    """What one log contains about one group: its consumers, its times and its limits."""

    log: str
    members: tuple[Member, ...]
    first: int | None
    last: int | None
    silences: tuple[tuple[int, int], ...]
    """Intervals in ms without a line, in a log whose consumers commit regularly."""
    version: str
    zone_known: bool
    commits: bool
    apart: int | None
    """Smallest measured difference in ms to another log's clock; None if not measurable."""
    other_zone: int | None
    unnamed: int
    undated: int
    held: Held | None
    """Result of the check against the client model, if it was requested."""


@dataclass
class GroupTold:
    """Findings and data of one group, for the reports."""

    name: str
    spans: list[Span]
    notices: list[tuple[str, int]]
    """(consumer, ms) of each notification."""
    rebalances: list[tuple[str, int]]
    """(consumer, ms) of each rebalance that changed a table."""
    coverage: list[Coverage]
    mirrored: list[tuple[str, str]]
    findings: list[Finding]
    seen_members: int
    """Largest cidAll in a logged result.

    Consumers beyond those in ``coverage`` have no log here.
    """
    lines: int
    """Number of facts about the group."""
    names: dict[Member, str] = field(default_factory=dict)

    def called(self, member: Member) -> str:
        """Return a consumer's client id, followed by the log's name if several logs have this id."""
        return self.names.get(member, member[0])


@dataclass
class Audited:
    """The result of a whole audit."""

    groups: list[GroupTold]
    files: list[File]
    zone: int
    """Offset from UTC, in ms, of printed times."""
    nameless: int = 0
    """Number of lines about queues or pulls whose group is ambiguous or not known."""


def audited(told: Iterable[GroupTold], files: list[File], zone: int) -> Audited:
    """Return the result; groups with a consumer's log come first.

    Facts without a group's name are only counted.
    """
    every = list(told)
    groups = sorted((one for one in every if one.name), key=lambda one: (not one.coverage, one.name))
    return Audited(groups, files, zone, sum(one.lines for one in every if not one.name))


def digest(groups: Iterable[GroupTold]) -> str:
    """Return a digest of all groups' entries and findings.

    It does not depend on how the work was divided.
    """
    made = hashlib.blake2b(digest_size=16)
    for group in sorted(groups, key=lambda one: one.name):
        for span in sorted(group.spans, key=lambda one: (one.queue, one.begin, one.end, one.member)):
            made.update(repr((group.name, span)).encode())
        for one in group.findings:
            made.update(repr(one).encode())
    return made.hexdigest()
