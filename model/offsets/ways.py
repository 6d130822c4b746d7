"""The ways in which consumers go through the messages of a queue."""

from enum import StrEnum

__all__ = ["Way"]


class Way(StrEnum):
    """Which actions there are, and what is kept of a queue."""

    CONCURRENTLY = "concurrently"
    """``MessageListenerConcurrently``: several messages of a queue at once, each noted when its listener returns."""
    ORDERLY = "orderly"
    """``MessageListenerOrderly``: a batch after the other."""
    BY_LOOP = "by-loop"
    """Node: one loop for all queues of a topic, a batch after the other, and no look at whether the queue was taken."""
