"""What happens to a group."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Event", "Group"]


class Event(StrEnum):
    """By the names that users type."""

    JOIN = "join"
    LEAVE = "leave"
    CRASH = "crash"
    GROW = "grow"


@dataclass(frozen=True)
class Group:
    """One topic and its consumers before it happens, who all see the same."""

    event: Event
    queues: int
    consumers: int
    ids: tuple[str, ...]
    """Sorted: of all that are there before or after it."""
    grown: int = 0
    """How many queues the topic then has; 0 unless it grows."""
    brokers: int = 1
    """On how many the queues of the topic lie, on each as many."""

    @property
    def fewer(self) -> int:
        """The consumers besides the one that joins or leaves."""
        return len(self.ids) - 1

    @property
    def after(self) -> int:
        """So many consumers are there then."""
        return {Event.JOIN: self.consumers + 1, Event.GROW: self.consumers}.get(self.event, self.consumers - 1)
