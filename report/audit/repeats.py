"""Fold findings that repeat: same kind, certainty, topic, causes and words apart from numbers."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rebalance_proofs.recorded.audit.finding import Finding, Level, What


@dataclass(frozen=True)
class Repeated:
    """A finding and its repeats, in order of time."""

    every: Sequence[tuple[int, Finding]]
    """(index among the group's findings, finding)"""

    @property
    def worst(self) -> Finding:
        """The longest one."""
        return max((one for _, one in self.every), key=lambda one: one.long)


@dataclass(frozen=True)
class Kind:
    """All findings of one kind in a group."""

    what: What
    findings: Sequence[Repeated]
    fails: bool
    """True if a finding of this kind makes the audit fail."""

    def number(self, level: Level) -> int:
        """Number of findings with this certainty."""
        return sum(len(one.every) for one in self.findings if one.worst.level is level)

    @property
    def long(self) -> int:
        """Length in ms of the longest finding."""
        return max(one.worst.long for one in self.findings)


def kinds(findings: Sequence[Finding], fails: Callable[[Finding], bool]) -> list[Kind]:
    """Return the findings by kind: failing kinds first, then kinds with certain findings; the longest first in each."""
    folded: dict[tuple[object, ...], list[tuple[int, Finding]]] = {}
    for place, one in enumerate(findings):
        words = one.detail
        for member in one.members:
            words = words.replace(member, "")
        key = (one.what, one.level, one.topic, one.causes, re.sub(r"\d+", "0", words))
        folded.setdefault(key, []).append((place, one))
    by_kind: dict[What, list[Repeated]] = {}
    for own in folded.values():
        own.sort(key=lambda one: (one[1].at is None, one[1].at or 0))
        by_kind.setdefault(own[0][1].what, []).append(Repeated(own))
    found = [
        Kind(
            what,
            sorted(by_kind[what], key=lambda one: (one.worst.level is Level.POSSIBLE, -one.worst.long)),
            any(fails(each) for one in by_kind[what] for _, each in one.every),
        )
        for what in What
        if what in by_kind
    ]
    return sorted(found, key=lambda kind: (not kind.fails, not kind.number(Level.SEEN)))
