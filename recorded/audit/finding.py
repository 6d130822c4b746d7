"""A finding: a problem in the logs of a group."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from rebalance_proofs.language import later
from rebalance_proofs.recorded.audit.group import Group, Phrase, phrase
from rebalance_proofs.recorded.audit.told import Event, Where
from rebalance_proofs.recorded.logs.fact import Kind, Queue


class What(StrEnum):
    """Kinds of findings. Values are the names that the option ``--never`` takes."""

    TWO = "two"
    NOBODY = "nobody"
    STALLED = "stalled"
    VIEWS = "views"
    UNLIKE = "unlike"
    BACK = "back"
    LISTENERS = "listeners"
    LOCKS = "locks"
    REFUSED = "refused"
    UNLISTED = "unlisted"
    CORRECTED = "corrected"
    GONE = "gone"
    UNREACHED = "unreached"
    STORM = "storm"
    IDS = "ids"
    UNREAD = "unread"
    LINES = "lines"
    MODEL = "model"

    @property
    def sentence(self) -> str:
        """Short description of this kind of finding, for reports."""
        return SENTENCES[self]


SENTENCES = {
    What.TWO: later("Two consumers owned a queue at once"),
    What.NOBODY: later("No consumer owned a queue"),
    What.STALLED: later("A queue's committed offset stood still"),
    What.VIEWS: later("Consumers disagreed"),
    What.UNLIKE: later("A share that the strategy does not assign"),
    What.BACK: later("Offset rollback"),
    What.LISTENERS: later("A listener was still running after another consumer took its queue"),
    What.LOCKS: later("Queue locks were not granted"),
    What.REFUSED: later("Pulls were refused"),
    What.UNLISTED: later("A consumer had no member list, or was not in it"),
    What.CORRECTED: later("A broker did not have the requested offset"),
    What.GONE: later("A broker lost connections of the group"),
    What.UNREACHED: later("Requests to a broker or name server failed"),
    What.STORM: later("Rebalance storm"),
    What.IDS: later("One client id, two processes"),
    What.UNREAD: later("A consumer owned queues and did not read them"),
    What.LINES: later("Other lines that indicate a cause"),
    What.MODEL: later("A log line that the client model cannot explain"),
}


class Level(StrEnum):
    """How certain a finding is: SEEN or POSSIBLE."""

    SEEN = "SEEN"
    """Log lines of both sides show it, whatever the difference of their clocks is.

    The sides are two consumers, or consumer and broker.
    """
    POSSIBLE = "POSSIBLE"
    """It may be real, but an end was not logged, a consumer was silent, or a clock is not known."""


@dataclass(frozen=True)
class Interval:
    """A queue and an interval in ms during which a finding concerns it."""

    queue: Queue | None
    at: int | None
    until: int | None

    @property
    def long(self) -> int:
        """Length of the interval in ms, or 0 if its lines have no time."""
        return (self.until or 0) - (self.at or 0) if self.at is not None else 0


@dataclass(frozen=True)
class Finding:
    """One problem, with all queues that had it at the same time."""

    what: What
    level: Level
    group: str
    topic: str
    members: tuple[str, ...]
    """Client ids, each followed by the log's name if several logs contain the same id."""
    intervals: tuple[Interval, ...]
    detail: str
    """What happened, as text for reports."""
    causes: tuple[str, ...]
    """Names of likely causes, as in ``report.symptoms``, the most likely first."""
    evidence: tuple[Where, ...]
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def at(self) -> int | None:
        """Start of the problem in ms since 1970, or None if no line has a time."""
        return min((one.at for one in self.intervals if one.at is not None), default=None)

    @property
    def until(self) -> int | None:
        """End of the problem in ms since 1970, or None if no line has a time."""
        return max((one.until for one in self.intervals if one.until is not None), default=None)

    @property
    def long(self) -> int:
        """Length in ms of the longest interval among the finding's queues."""
        return max((one.long for one in self.intervals), default=0)


# Group log lines about the same problem into episodes, and make a finding from an episode.

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
