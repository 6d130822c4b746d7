"""Collect all findings of a group."""

from collections.abc import Iterable
from dataclasses import replace

from rebalance_proofs.recorded.audit.behaviour import ids, storms, unread
from rebalance_proofs.recorded.audit.connections import gone
from rebalance_proofs.recorded.audit.denials import locks, refused
from rebalance_proofs.recorded.audit.finding import Finding, What
from rebalance_proofs.recorded.audit.group import Group
from rebalance_proofs.recorded.audit.limits import apart
from rebalance_proofs.recorded.audit.offsets import back
from rebalance_proofs.recorded.audit.owners import listeners, nobody, two
from rebalance_proofs.recorded.audit.said import corrected, other_lines, unreached
from rebalance_proofs.recorded.audit.stalled import stalled
from rebalance_proofs.recorded.audit.subscriptions import subscriptions
from rebalance_proofs.recorded.audit.surplus import surplus
from rebalance_proofs.recorded.audit.unexplained import unexplained
from rebalance_proofs.recorded.audit.unlisted import unlisted
from rebalance_proofs.recorded.audit.views import strategies, unlike, views

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
