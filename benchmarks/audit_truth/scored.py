"""Findings against cases: which were told, which were told that are none, which were missed."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from benchmarks.audit_truth.cases import Case
from benchmarks.audit_truth.numbers import Numbers
from benchmarks.audit_truth.owned import process
from rebalance_proofs.recorded.audit.finding import Finding, Level, What
from rebalance_proofs.recorded.audit.outcome import Audited, GroupTold

UNSCORED = (
    What.TWO,
    What.NOBODY,
    What.MODEL,
    What.UNLISTED,
    What.CORRECTED,
    What.GONE,
    What.UNREACHED,
    What.LINES,
)
"""Kinds that are scored as owners, or that repeat what single lines say."""
SLACK = 1_500
"""ms by which times can be off: brokers' logs have whole seconds."""
REASONS = {
    "an older subscription": "subscription not latest",
    "no subscription": "subscription not exist",
    "knows no consumer": "group info not exist",
}
"""Words of a finding, and of the broker's answer."""
COVERED = (What.VIEWS, What.UNREAD, What.STALLED)
"""Kinds of which half of the time that is told has to be so."""


class Told(NamedTuple):
    """A finding, or one of its queues."""

    what: What
    level: Level
    group: str
    queue: str
    who: frozenset[str]
    at: int
    until: int
    reason: str


@dataclass
class Scored(Numbers):
    """Of one kind of finding."""

    cases: int = 0
    """That have to be told."""
    seen: int = 0
    """Of these, told SEEN."""
    possible: int = 0
    """Of these, told POSSIBLE only."""
    told: int = 0
    """Findings that are SEEN."""
    false: int = 0
    """Of these, that were none."""
    open: int = 0
    """Findings that are POSSIBLE."""


def told(audited: Audited, groups: Collection[str]) -> list[Told]:
    """What an audit found of these groups, queue by queue, of kinds that events decide."""
    return [
        each for group in audited.groups if group.name in groups for one in group.findings for each in _each(group, one)
    ]


def _each(group: GroupTold, one: Finding) -> Iterator[Told]:
    if one.what in UNSCORED:
        return
    reason = next((words for part, words in REASONS.items() if part in one.detail), "")
    if (one.what is What.REFUSED and not reason) or "lock request failed" in one.detail:
        return  # events say nothing of requests that failed
    who = frozenset(process(log) for (_, log), name in group.names.items() if name in one.members)
    reason = "strategies" if one.detail.startswith("strategies differ") else reason
    for part in one.intervals:
        queue = ":".join(map(str, part.queue)) if part.queue else f"{one.topic}::"
        if one.what in (What.REFUSED, What.STORM, What.IDS) or "suspended" in one.detail:
            queue = ""
        if part.at is not None and part.until is not None:
            yield Told(one.what, one.level, group.name, queue, who, part.at, part.until, reason)


def scored(found: list[Told], really: list[Case]) -> dict[What, Scored]:
    """The numbers of each kind."""
    made = {what: Scored() for what in What if what not in UNSCORED}
    for case in really:
        if case.must:
            levels = {one.level for one in found if _fits(one, case)}
            made[case.what].cases += 1
            made[case.what].seen += Level.SEEN in levels
            made[case.what].possible += levels == {Level.POSSIBLE}
    for one in found:
        if one.level is Level.SEEN:
            made[one.what].told += 1
            made[one.what].false += not _so(one, really)
        else:
            made[one.what].open += 1
    return made


def _fits(one: Told, case: Case) -> bool:
    same = one.what is case.what and one.group == case.group and one.reason == case.reason
    near = one.at <= case.until + SLACK and one.until >= case.at - SLACK
    return same and near and _queues(one.queue, case.queue) and (not one.who or not case.who or case.who <= one.who)


def _queues(one: str, other: str) -> bool:
    """Whether they are one queue; a broker's lines do not name the broker."""
    first, second = one.split(":"), other.split(":")
    return (
        not one or not other or all(not mine or not its or mine == its for mine, its in zip(first, second, strict=True))
    )


def _so(one: Told, really: list[Case]) -> bool:
    fits = [case for case in really if _fits(one, case)]
    if one.what not in COVERED or one.queue == "":
        return bool(fits)
    covered = sum(max(0, min(one.until, case.until) - max(one.at, case.at)) for case in fits)
    return 2 * covered >= one.until - one.at


def explained(found: list[Told], really: list[Case]) -> list[str]:
    """A line for each case that is not SEEN, and for each SEEN that is none."""
    missed = [
        case for case in really if case.must and not any(one.level is Level.SEEN and _fits(one, case) for one in found)
    ]
    wrong = [one for one in found if one.level is Level.SEEN and not _so(one, really)]
    return [f"not SEEN: {case}" for case in missed] + [f"none: {one}" for one in wrong]
