"""The group that ``rebalance shares`` divides: topics, members and their views."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rebalance_proofs.model.queues import MessageQueue


@dataclass(frozen=True)
class Topic:
    """One topic with its queues, in the sort order of clients."""

    name: str
    queues: tuple[MessageQueue, ...]

    @cached_property
    def places(self) -> Mapping[MessageQueue, int]:
        """Return each queue's position in the sorted list, from 0; answers name queues by it."""
        return {queue: place for place, queue in enumerate(self.queues)}


@dataclass(frozen=True)
class Asked:
    """A consumer group. By default all members see the same lists and subscribe to all topics."""

    topics: tuple[Topic, ...]
    ids: tuple[str, ...]
    """Client ids of all members, in the sort order of clients."""
    sees: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Member -> the sorted ids that it sees instead of ``ids``."""
    knows: Mapping[str, int] = field(default_factory=dict)
    """Member -> the number of each topic's queues that it knows, as with an old route."""
    subscribes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Member -> its topics, for members that do not subscribe to all."""
    rooms: tuple[str, ...] = ()
    """Machine rooms for MACHINE_ROOM and MACHINE_ROOM_NEARBY."""

    @property
    def queues(self) -> int:
        """Return the number of queues of all topics."""
        return sum(len(topic.queues) for topic in self.topics)

    @property
    def agrees(self) -> bool:
        """True if all members see the same lists and subscribe to the same topics."""
        return not self.sees and not self.knows and not self.subscribes

    def reads(self, client_id: str, topic: Topic) -> bool:
        """Return whether the member subscribes to the topic."""
        return client_id not in self.subscribes or topic.name in self.subscribes[client_id]
