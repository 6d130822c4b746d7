"""Findings about denied queue locks and refused pulls."""

import re
from collections.abc import Hashable, Iterator, Sequence

from rebalance_proofs.recorded.audit.episodes import episodes, events, finding_of
from rebalance_proofs.recorded.audit.finding import Finding, What
from rebalance_proofs.recorded.audit.group import Group
from rebalance_proofs.recorded.audit.told import NOT_ASKED, Event
from rebalance_proofs.recorded.logs.fact import Kind
from rebalance_proofs.recorded.logs.readings import FAILED

__all__ = ["locks", "refused"]

SAME_REFUSAL = 2_000
"""Longest time in ms between the consumer's and the broker's line on one refused pull.

Brokers log whole seconds.
"""


def locks(group: Group) -> Iterator[Finding]:
    """Yield findings about denied queue locks, from consumers' logs.

    The broker's lines are used if a consumer has logged no denial.
    """
    own = [one for one in events(group, Kind.DENIED, Kind.LOCK_FAILED) if one.queue]
    said = {(one.member[0], one.queue) for one in own}
    denied = [one for one in own if one.kind is Kind.DENIED]
    both = {(one.member, one.queue, (one.at or 0) // 1000) for one in denied}
    renewals = [one for one in own if one.kind is Kind.LOCK_FAILED]
    asked = [
        one
        for one in renewals
        if not any((one.member, one.queue, (one.at or 0) // 1000 + step) in both for step in (-1, 0, 1, 2))
    ]
    had: dict[Hashable, set[str]] = {}
    for one in events(group, Kind.LOCKED_BY_OTHER):
        had.setdefault((one.member[0], one.queue), set()).add(one.more)
    for episode in episodes([*denied, *asked], lambda one: (one.member, one.queue, one.more == NOT_ASKED)):
        many = f"{len(episode)} times" if len(episode) > 1 else "once"
        if episode[0].more == NOT_ASKED:
            who, detail = group.told(episode[0].member), f"the lock request failed {many}"
            yield finding_of(What.LOCKS, group, (who,), episode, detail, ("broker-unreachable",))
            continue
        holders = sorted(had.get((episode[0].member[0], episode[0].queue), ()))
        detail = f"denied {many}"
        if holders:
            detail += f"; {', '.join(holders)} held the lock"
        causes = ("waits-for-living", "waits-for-crashed", "waits-for-shut-down")
        yield finding_of(What.LOCKS, group, (group.told(episode[0].member), *holders), episode, detail, causes)
    others = [one for one in events(group, Kind.LOCKED_BY_OTHER) if (one.member[0], one.queue) not in said]
    for episode in episodes(others, lambda one: (one.member[0], one.queue, one.more)):
        detail = f"denied {len(episode)} times; {episode[0].more} held the lock"
        members = (episode[0].member[0], episode[0].more)
        yield finding_of(What.LOCKS, group, members, episode, detail, ("waits-for-living", "waits-for-crashed"))


REASONS = (
    (re.compile("not latest", re.I), "the broker has an older subscription", ("subscription-not-latest",)),
    (
        re.compile("subscription not exist", re.I),
        "the broker has no subscription for the topic",
        ("subscriptions-overwritten",),
    ),
    (re.compile("group info not exist", re.I), "the broker knows no consumer of the group", ("broker-comes-back",)),
    (re.compile("^offset illegal"), "the broker does not have the offset and proposes another", ("offset-illegal",)),
)


def _reason(one: Event) -> tuple[str, tuple[str, ...]]:
    for pattern, words, causes in REASONS:
        if pattern.search(one.more):
            return words, causes
    if one.more.startswith(FAILED):
        return f"they {one.more.replace(':', ' by', 1)}", ("broker-unreachable",)
    return one.more or "the log gives no reason", ()


def _only_told_by_brokers(group: Group, own: Sequence[Event]) -> list[Event]:
    """Return refused pulls that a broker logged, but no consumer.

    ``own``: refusals from consumers' logs. Return none if the logs' clocks cannot be compared.
    """
    theirs = sorted(events(group, Kind.REFUSES), key=lambda event: (event.at or 0, event.where))
    logs = {(one.member[1], other) for one in theirs for other in {each.member[1] for each in own}}
    if any(not group.sure_clocks(*pair) for pair in logs):
        return []
    near = SAME_REFUSAL + max((group.tolerance(*pair) for pair in logs), default=0)
    waiting: dict[str, list[int]] = {}
    for one in sorted(own, key=lambda event: -(event.at or 0)):
        waiting.setdefault(_reason(one)[0], []).append(one.at or 0)
    return [one for one in theirs if not _taken(waiting.get(_reason(one)[0], []), one.at or 0, near)]


def _taken(waiting: list[int], at: int, near: int) -> bool:
    """Return True if a consumer logged the refused pull, and remove its time from ``waiting``.

    The pull was refused at the time ``at``. ``waiting`` holds the times of the consumers' lines in ms, the latest
    first; ``near`` is the largest difference.
    """
    while waiting and waiting[-1] < at - near:
        waiting.pop()
    return bool(waiting) and waiting[-1] <= at + near and waiting.pop() is not None


def refused(group: Group) -> Iterator[Finding]:
    """Yield findings about refused pulls, by consumer and reason.

    Refused pulls that only a broker logged are included: a client does not log refused pulls of its retry topic, and a
    consumer's log may be missing.
    """
    own = events(group, Kind.REFUSED)
    for many in (own, _only_told_by_brokers(group, own)):
        for episode in episodes(many, lambda one: (one.member, _reason(one)[0])):
            words, causes = _reason(episode[0])
            often = f"{len(episode)} times" if len(episode) > 1 else "once"
            members = (group.told(episode[0].member),) if many is own else ()
            yield finding_of(What.REFUSED, group, members, episode, f"{often}: {words}", causes)
