"""State of one queue at one consumer, and of its messages that are followed."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.recorded.cluster.offsets.brokers import Committed
from rebalance_proofs.recorded.cluster.offsets.following import Following
from rebalance_proofs.recorded.groups.member import End


@dataclass
class Message:
    """A message that is followed while its process queue contains it, or its listener runs."""

    offset: int
    follower: Following
    returned: End | None = None
    """The event of the listener's return, until the model's listener has returned too."""


@dataclass
class Place:
    """State of one queue at one consumer while events are checked."""

    q: str
    base: Following
    """Possible states of the queue without regard to any message."""
    committed: Committed
    messages: dict[int, Message] = field(default_factory=dict)
    entry: str = ""
    """Identity of the queue's process queue, from events of its addition and removal.

    "" if there is none.
    """
    persisted: bool = False
    """True if a rebalance has persisted the queue's offset, as before each removal."""
    pulled: int = 0
    """Time in ms of the queue's last pull."""
    since: int = 0
    """Earliest time in ms at which the next pull can have read the offset that it commits."""
    flying: int = 0
    former: int = 0
    """Numbers of unanswered pulls: ``flying`` for this process queue, ``former`` for others."""
    gone: int = 0
    """Time in ms at which a process queue was last removed."""
    loaded: int | None = None
    """Time in ms of the broker's restart, until a poll has shown its table; None otherwise."""
    memory: list[tuple[int, frozenset[int]]] = field(default_factory=list)
    """History of the offset in memory, as (from when in ms, its possible values)."""
    unsent: list[frozenset[int]] = field(default_factory=list)
    """Possible offsets of commits by a removal or shutdown whose requests were not observed yet."""
    aside: bool = False
    """True after an illegal offset, until a rebalance reads the start offset again.

    The model lacks illegal offsets.
    """
    going: int | None = None
    """Time in ms from which a rebalance is removing the process queue.

    The value is None once its offset is dropped. Other threads can still commit the offset in this time.
    """
    lost: bool = False
    """True if another offset was stored in memory during the removal; it is dropped as well."""
    listed: int = 0
    """Number of ``persistAll`` calls that can still commit the queue's offset."""
    owed: int = 0
    """Number of listener returns and empty pulls whose offset was not stored yet."""
    early: list[int] = field(default_factory=list)
    """Offsets that were stored in memory before the store recorded the update."""
    heard: list[tuple[int, bool]] = field(default_factory=list)
    """Unused answers to offset queries, each as (offset, whether a first pull sent the query)."""
    searched: int = 0
    """The last offset that a search by time returned."""
    fixing: bool = False
    """True from a first pull's query of the start offset until the store uses the answer."""

    @property
    def followed(self) -> Iterator[tuple[Following, Message | None]]:
        """Yield (possible states, None) for the queue, then (possible states, message) for each."""
        yield self.base, None
        for message in self.messages.values():
            yield message.follower, message

    def note(self, at: int) -> None:
        """Remember the offsets that can be in memory at time ``at``, in ms."""
        now = frozenset(number(s.memory) for s in self.base.states)
        if not self.memory or self.memory[-1][1] != now:
            self.memory.append((at, now))

    def had(self, value: int, since: int, until: float = inf) -> bool:
        """Return True if the offset ``value`` can have been in memory at any time from ``since`` to ``until``."""
        for at, values in reversed(self.memory):
            if value in values and at <= until:
                return True
            if at < since:
                return False
        return False
