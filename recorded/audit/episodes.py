"""Group log lines about the same problem into episodes, and make a finding from an episode."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.group import Group
from rebalance_proofs.recorded.audit.phrase import Phrase, phrase
from rebalance_proofs.recorded.audit.told import Event
from rebalance_proofs.recorded.logs.fact import Kind

LEAVES = 5_000
"""Time in ms around a shutdown in which requests fail in the ordinary course."""
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
            before = episode[-1].at if episode[-1].until is None else episode[-1].until
            if one.at is not None and before is not None and one.at - before > APART:
                yield episode
                episode = []
            episode.append(one)
        yield episode


def events(group: Group, *kinds: Kind) -> list[Event]:
    """Return the group's events whose kind is one of ``kinds``."""
    return [one for share in group.shares for one in share.events if one.kind in kinds]


def lines_of(many: Iterable[Event]) -> int:
    """Return how many log lines the events stand for."""
    return sum(one.numbers[0] if one.kind is Kind.SAID else 1 for one in many)


def leaves(group: Group, one: Event) -> bool:
    """Return whether a consumer of the line's log was shutting down, so that failing requests are ordinary."""
    share = group.by_log.get(one.member[1])
    return one.at is not None and share is not None and any(abs(at - one.at) <= LEAVES for at in share.shuts)


def finding_of(
    what: What, group: Group, members: Sequence[str], episode: Sequence[Event], detail: str, causes: tuple[str, ...]
) -> Finding:
    """Return a finding of level SEEN (certain) about an episode's first to last line."""
    first, last = episode[0], episode[-1]
    until = max((each for one in episode for each in (one.at, one.until) if each is not None), default=None)
    return Finding(
        what,
        Level.SEEN,
        group.name,
        first.topic or (first.queue[0] if first.queue else ""),
        tuple(dict.fromkeys(one for one in members if one)),
        (Interval(first.queue, first.at, until),),
        detail,
        causes,
        tuple(dict.fromkeys((first.where, last.last if last.last[0] else last.where))),
        {"lines": lines_of(episode)},
    )


def times(number: int) -> Phrase:
    """Return how often a line occurs."""
    return phrase("once") if number == 1 else phrase("{number} times", number=number)
