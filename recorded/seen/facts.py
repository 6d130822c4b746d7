"""The kinds of what can be seen. Times are in milliseconds since the start of the run."""

from dataclasses import dataclass

from rebalance_proofs.recorded.groups.producer import Sent
from rebalance_proofs.recorded.seen.calls import Call

__all__ = ["Back", "Fact", "Never", "Overlap", "Pause", "Twice"]


@dataclass(frozen=True)
class Fact:
    """Something that was seen, of one group and queue."""

    group: str
    q: str

    @property
    def at(self) -> int:
        """When it was seen first."""
        raise NotImplementedError


@dataclass(frozen=True)
class Twice(Fact):
    """A message was given to a listener again."""

    offset: int
    first: Call
    """The call with it before."""
    again: Call

    @property
    def at(self) -> int:
        """When the second call began."""
        return self.again.begin


@dataclass(frozen=True)
class Never(Fact):
    """A message was not given to any listener, up to the end of the recording, though somebody was there for it."""

    sent: Sent
    skipped: bool
    """Whether more than it is committed; if not, it waits."""

    @property
    def at(self) -> int:
        """When the message was stored."""
        return self.sent.at


@dataclass(frozen=True)
class Overlap(Fact):
    """Two calls of ordered listeners at the same time on one queue."""

    first: Call
    second: Call

    @property
    def at(self) -> int:
        """When the second one began."""
        return self.second.begin

    @property
    def ms(self) -> int:
        """For how long both ran."""
        return min(self.first.end, self.second.end) - self.second.begin


@dataclass(frozen=True)
class Pause(Fact):
    """A message waited, and no listener of its group ran on the queue."""

    since: int
    until: int
    ended_by: Call | None
    """The call that ended it; None if nothing did, up to the end of the recording."""
    before: Call | None
    """The last call before it; None if there was none."""

    @property
    def at(self) -> int:
        """When it began."""
        return self.since

    @property
    def ms(self) -> int:
        """How long it lasted."""
        return self.until - self.since


@dataclass(frozen=True)
class Back(Fact):
    """A committed offset became lower, or was gone."""

    when: int
    broker: str
    was: int
    now: int | None
    """None: there is none any more."""

    @property
    def at(self) -> int:
        """When the broker's table was seen so."""
        return self.when
