"""Group log lines about the same problem into episodes, and make a finding from an episode."""

from collections.abc import Callable, Hashable, Iterator, Sequence

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.group import Group
from rebalance_proofs.recorded.audit.told import Event
from rebalance_proofs.recorded.logs.fact import Kind

__all__ = ["episodes", "events", "finding_of"]

APART = 30_000
"""Longest pause in ms between two lines of one episode; a client rebalances every 20 s."""


def episodes(events: Sequence[Event], key: Callable[[Event], Hashable]) -> Iterator[list[Event]]:
    """Yield groups of events with the same key, split at pauses longer than ``APART``."""
    own: dict[Hashable, list[Event]] = {}
    for one in sorted(events, key=lambda event: (event.at or 0, event.where)):
        own.setdefault(key(one), []).append(one)
    for many in own.values():
        episode = [many[0]]
        for one in many[1:]:
            if one.at is not None and episode[-1].at is not None and one.at - episode[-1].at > APART:
                yield episode
                episode = []
            episode.append(one)
        yield episode


def events(group: Group, *kinds: Kind) -> list[Event]:
    """Return the group's events whose kind is one of ``kinds``."""
    return [one for share in group.shares for one in share.events if one.kind in kinds]


def finding_of(
    what: What, group: Group, members: Sequence[str], episode: Sequence[Event], detail: str, causes: tuple[str, ...]
) -> Finding:
    """Return a finding of level SEEN (certain) about an episode's first to last line."""
    first, last = episode[0], episode[-1]
    return Finding(
        what,
        Level.SEEN,
        group.name,
        first.topic or (first.queue[0] if first.queue else ""),
        tuple(dict.fromkeys(one for one in members if one)),
        (Interval(first.queue, first.at, last.at),),
        detail,
        causes,
        tuple(dict.fromkeys((first.where, last.where))),
        {"lines": len(episode)},
    )
