"""One queue at one consumer, and the messages of it that are followed."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.recorded.cluster.offsets.brokers import Committed
from rebalance_proofs.recorded.cluster.offsets.following import Following
from rebalance_proofs.recorded.groups.member import End

__all__ = ["Message", "Place"]


@dataclass
class Message:
    """A message that is followed while its entry has it, or its listener is called with it."""

    offset: int
    follower: Following
    returned: End | None = None
    """The end of its call, until the machine's listener has returned."""


@dataclass
class Place:
    """One queue at one consumer."""

    q: str
    base: Following
    """The queue without its messages."""
    committed: Committed
    messages: dict[int, Message] = field(default_factory=dict)
    entry: str = ""
    """The entry in the table, by the events of its coming and going."""
    persisted: bool = False
    """Whether a rebalance has persisted the offset of the entry, as it does when it takes it away."""
    pulled: int = 0
    """When a pull of it was last sent."""
    since: int = 0
    """When the offset in memory can have been read at the earliest that the next pull commits."""
    flying: int = 0
    former: int = 0
    """Pulls under way: for the entry, and for those before it."""
    gone: int = 0
    """When an entry last left."""
    loaded: int | None = None
    """When the broker has begun anew, until its table was seen."""
    memory: list[tuple[int, frozenset[int]]] = field(default_factory=list)
    """Since when the offset in memory can be one of these."""
    unsent: list[frozenset[int]] = field(default_factory=list)
    """Commits by which a rebalance or a shutdown has taken the entry away, of which no request was seen yet: one of
    these values each."""
    aside: bool = False
    """Whether a broker has called the entry's offset illegal, of which the machine does not speak, and no rebalance has
    asked anew."""
    going: int | None = None
    """Since when a rebalance takes the entry away, until its offset is forgotten: others can send it still."""
    lost: bool = False
    """Whether an offset was put into the memory meanwhile, which is forgotten, too."""
    listed: int = 0
    """Calls of ``persistAll`` that can send its offset still."""
    owed: int = 0
    """Calls of the listener that have returned, and pulls that have found nothing, of which the store was not told."""
    early: list[int] = field(default_factory=list)
    """Offsets that were put into the memory before the store has told of that, which it does afterwards."""
    heard: list[tuple[int, bool]] = field(default_factory=list)
    """Answers that the store has heard and not taken yet, and whether a first pull has asked for them."""
    searched: int = 0
    """What a search by time has found last."""
    fixing: bool = False
    """Whether a first pull has asked where the entry begins, and the store has not taken the answer."""

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
