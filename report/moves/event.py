"""Events that change a group: a consumer joins, leaves or crashes, or the topic grows."""

from dataclasses import dataclass
from enum import StrEnum


class Event(StrEnum):
    """An event that changes a group; its value is the name in the option ``--event``."""

    JOIN = "join"
    LEAVE = "leave"
    CRASH = "crash"
    GROW = "grow"


@dataclass(frozen=True)
class Group:
    """One topic and its consumers before the event; all consumers see the same lists."""

    event: Event
    queues: int
    consumers: int
    ids: tuple[str, ...]
    """Sorted ids of all consumers that are in the group before or after the event."""
    grown: int = 0
    """Number of queues after the topic has grown; 0 for other events."""
    brokers: int = 1
    """Number of brokers, each with the same number of the topic's queues."""

    @property
    def fewer(self) -> int:
        """Return the number of consumers without the one that joins or leaves."""
        return len(self.ids) - 1

    @property
    def after(self) -> int:
        """Return the number of consumers after the event."""
        return {Event.JOIN: self.consumers + 1, Event.GROW: self.consumers}.get(self.event, self.consumers - 1)
