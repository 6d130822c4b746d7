"""The result of an audit, as reports show it."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from rebalance_proofs.recorded.audit.finding import Finding
from rebalance_proofs.recorded.audit.told import Held, Member, Span
from rebalance_proofs.recorded.logs.reader import Tally

__all__ = ["Audited", "Coverage", "File", "GroupTold", "audited", "digest"]


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


def digest(groups: Iterable[GroupTold]) -> str:
    """Of all groups' entries and findings: equal however the work was divided."""
    made = hashlib.blake2b(digest_size=16)
    for group in sorted(groups, key=lambda one: one.name):
        for span in sorted(group.spans, key=lambda one: (one.queue, one.begin, one.end, one.member)):
            made.update(repr((group.name, span)).encode())
        for one in group.findings:
            made.update(repr(one).encode())
    return made.hexdigest()
