"""One queue at one consumer, and its followed messages."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.recorded.cluster.offsets.brokers import Committed
from rebalance_proofs.recorded.cluster.offsets.following import Following
from rebalance_proofs.recorded.groups.member import End

__all__ = ["Message", "Place"]


@dataclass
class Message:
    """A message that is followed while its entry contains it, or its listener runs."""

    offset: int
    follower: Following
    returned: End | None = None
    """End of its recorded call, until the machine's listener has returned."""


@dataclass
class Place:
    """One queue at one consumer."""

    q: str
    base: Following
    """The queue's behaviours without messages."""
    committed: Committed
    messages: dict[int, Message] = field(default_factory=dict)
    entry: str = ""
    """The entry in the table, by events of its addition and removal."""
    persisted: bool = False
    """True if a rebalance has persisted the entry's offset, as it does at a removal."""
    pulled: int = 0
    """Time in ms of the last pull."""
    since: int = 0
    """Earliest time in ms at which the next pull can have read the offset that it commits."""
    flying: int = 0
    former: int = 0
    """Number of open pulls: for the entry, and for earlier entries."""
    gone: int = 0
    """Time in ms at which an entry was last removed."""
    loaded: int | None = None
    """Time in ms of the broker's restart, until a poll has seen its table."""
    memory: list[tuple[int, frozenset[int]]] = field(default_factory=list)
    """(since when in ms, possible offsets in memory)."""
    unsent: list[frozenset[int]] = field(default_factory=list)
    """Possible values of commits by a removal or shutdown whose requests were not observed yet."""
    aside: bool = False
    """True after an illegal offset, which the machine does not model, until a rebalance reads one again."""
    going: int | None = None
    """Since when in ms a rebalance removes the entry, until its offset is dropped.

    Other threads can still send the offset in this time.
    """
    lost: bool = False
    """True if another offset was stored during the removal, which is dropped as well."""
    listed: int = 0
    """Number of ``persistAll`` calls that can still send its offset."""
    owed: int = 0
    """Number of listener returns and empty pulls whose offset was not stored yet."""
    early: list[int] = field(default_factory=list)
    """Offsets that were stored in memory before the store recorded the update."""
    heard: list[tuple[int, bool]] = field(default_factory=list)
    """(answer that the store received but did not use yet, whether a first pull requested it)."""
    searched: int = 0
    """The last result of a search by time."""
    fixing: bool = False
    """True if a first pull has requested the start offset and the store has not used the answer yet."""

    @property
    def followed(self) -> Iterator[tuple[Following, Message | None]]:
        """The queue without its messages, and each message that is followed."""
        yield self.base, None
        for message in self.messages.values():
            yield message.follower, message

    def note(self, at: int) -> None:
        """Remember what can be in memory."""
        now = frozenset(number(s.memory) for s in self.base.states)
        if not self.memory or self.memory[-1][1] != now:
            self.memory.append((at, now))

    def had(self, value: int, since: int) -> bool:
        """Whether that was in memory at any time since then."""
        for at, values in reversed(self.memory):
            if value in values:
                return True
            if at < since:
                return False
        return False
