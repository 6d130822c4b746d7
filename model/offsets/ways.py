"""Ways in which consumers process the messages of a queue."""

from enum import StrEnum

__all__ = ["Way"]


class Way(StrEnum):
    """A way of consuming; it decides which actions the machine has, and which fields matter."""

    CONCURRENTLY = "concurrently"
    """``MessageListenerConcurrently``: several messages at once, each recorded when its listener returns."""
    ORDERLY = "orderly"
    """``MessageListenerOrderly``: one batch after the other."""
    BY_LOOP = "by-loop"
    """Node: one loop consumes batches of all queues of a topic, without checking for removed queues."""
