"""Kinds of problems in a recorded run; times are in milliseconds since the start of the run."""

from dataclasses import dataclass

from rebalance_proofs.recorded.groups.producer import Sent
from rebalance_proofs.recorded.seen.calls import Call


@dataclass(frozen=True)
class Fact:
    """A problem that concerns one group and queue."""

    group: str
    q: str

    @property
    def at(self) -> int:
        """Time in ms at which the problem began."""
        raise NotImplementedError


@dataclass(frozen=True)
class Twice(Fact):
    """A message was redelivered to a listener."""

    offset: int
    first: Call
    """The previous listener call with the message."""
    again: Call

    @property
    def at(self) -> int:
        """Time in ms at which the second listener call with the message began."""
        return self.again.begin


@dataclass(frozen=True)
class Never(Fact):
    """A message reached no listener by the end, although a consumer was running."""

    sent: Sent
    skipped: bool
    """True if a higher offset is committed, so the message is lost; False if it still waits."""

    @property
    def at(self) -> int:
        """Time in ms at which the broker stored the message."""
        return self.sent.at


@dataclass(frozen=True)
class Overlap(Fact):
    """Two ordered listeners ran on one queue at the same time."""

    first: Call
    second: Call

    @property
    def at(self) -> int:
        """Time in ms at which the later of the two listener calls began."""
        return self.second.begin

    @property
    def ms(self) -> int:
        """Duration in ms for which both listener calls ran at once."""
        return min(self.first.end, self.second.end) - self.second.begin


@dataclass(frozen=True)
class Pause(Fact):
    """A message waited while no listener of its group ran on the queue."""

    since: int
    until: int
    ended_by: Call | None
    """The call that ended the pause; None if it lasted until the end of the recording."""
    before: Call | None
    """The last listener call before the pause, or None."""

    @property
    def at(self) -> int:
        """Time in ms at which the pause began."""
        return self.since

    @property
    def ms(self) -> int:
        """Duration of the pause in ms."""
        return self.until - self.since


@dataclass(frozen=True)
class Back(Fact):
    """A committed offset decreased or was lost."""

    when: int
    broker: str
    was: int
    now: int | None
    """The new offset; None if the broker has none any more."""

    @property
    def at(self) -> int:
        """Time in ms at which a poll of the broker's table showed the decrease."""
        return self.when
