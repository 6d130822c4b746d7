"""What really happened in groups, whoever knows it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from rebalance_proofs.recorded.audit.log import Times, intersection, union

OVER = 1_000
"""ms from which an overlap, a gap or a disagreement counts."""
Entry = tuple[str, str, int, int]
"""(who, queue, begin, end); who is a process, a queue ``topic:broker:number``."""
Owned = tuple[str, str, int, int]
"""(group, queue, from, to)."""


class Saw(NamedTuple):
    """A rebalance of one topic: what the member was given, and what its strategy made of it."""

    who: str
    client: str
    topic: str
    at: int
    strategy: str
    mq_all: tuple[str, ...]
    cid_all: tuple[str, ...]
    result: tuple[str, ...]


class Denied(NamedTuple):
    """A lock that the broker did not grant."""

    at: int
    who: str
    queue: str


class Refused(NamedTuple):
    """A pull that the broker refused."""

    at: int
    who: str
    group: str
    reason: str
    """The broker's own words, as far as they tell one reason from the others."""


class Called(NamedTuple):
    """One call of a listener."""

    who: str
    queue: str
    begin: int
    end: int


class SetBack(NamedTuple):
    """A committed offset at the broker that became less."""

    at: int
    group: str
    topic: str
    number: int


@dataclass
class Happened:
    """All of one scenario."""

    groups: dict[str, str] = field(default_factory=dict)
    """Each member's group."""
    clients: dict[str, str] = field(default_factory=dict)
    """Each member's client id."""
    ran: dict[str, tuple[int, int]] = field(default_factory=dict)
    """From when to when it was a member: its process's first event to its last, or to the end of its shutdown."""
    entries: list[Entry] = field(default_factory=list)
    still: dict[str, Times] = field(default_factory=dict)
    """Times in which a member's process stood still."""
    paused: dict[str, Times] = field(default_factory=dict)
    """Times in which a member was suspended."""
    unpulled: list[Entry] = field(default_factory=list)
    """Entries that left because nothing had been pulled for two minutes."""
    stalled: list[Entry] = field(default_factory=list)
    """Queues whose committed offset did not move although messages waited, with first and last commit of that time."""
    commits: list[tuple[int, str, str, str, int]] = field(default_factory=list)
    """(ms, who, group, ``topic:number``, offset) of each commit that was sent."""
    pulled_with: list[tuple[int, str, str, int]] = field(default_factory=list)
    """(ms, group, ``topic:number``, offset) of each pull that commits an offset."""
    saw: list[Saw] = field(default_factory=list)
    notified: list[tuple[int, str]] = field(default_factory=list)
    denied: list[Denied] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    called: list[Called] = field(default_factory=list)
    set_back: list[SetBack] = field(default_factory=list)

    def owners(self, queue: str, group: str) -> list[Entry]:
        """Entries of the queue in that group's members' tables."""
        return [one for one in self.entries if one[1] == queue and self.groups.get(one[0]) == group]

    def overlaps(self) -> Iterator[Owned]:
        """Where two members that ran had one queue for more than ``OVER``."""
        for place, one in enumerate(self.entries):
            for other in self.entries[:place]:
                group = self.groups.get(one[0])
                if one[1] == other[1] and one[0] != other[0] and group and group == self.groups.get(other[0]):
                    for at, until in intersection(self._ran(one), self._ran(other)):
                        if until - at > OVER:
                            yield group, one[1], at, until

    def gaps(self) -> Iterator[Owned]:
        """Where a queue was in no table for more than ``OVER``, between two entries."""
        for group in sorted(set(self.groups.values())):
            for queue in sorted({one[1] for one in self.entries if self.groups.get(one[0]) == group}):
                had = union((one[2], one[3]) for one in self.owners(queue, group))
                for (_, at), (until, _) in pairwise(had):
                    if until - at > OVER:
                        yield group, queue, at, until

    def _ran(self, entry: Entry) -> Times:
        return without([(entry[2], entry[3])], self.still.get(entry[0], []))


def without(times: Times, taken: Times) -> Times:
    """What of the first is in none of the others."""
    for begin, end in taken:
        times = [
            part
            for at, until in times
            for part in ((at, min(until, begin)), (max(at, end), until))
            if part[0] < part[1]
        ]
    return times
