"""The ways in which consumers go through the messages of a queue."""

from enum import StrEnum

__all__ = ["Way"]


class Way(StrEnum):
    """A way of consuming, which decides which actions the machine has, and which fields matter."""

    CONCURRENTLY = "concurrently"
    """``MessageListenerConcurrently``: several messages of a queue at once, each noted when its listener returns."""
    ORDERLY = "orderly"
    """``MessageListenerOrderly``: one batch after the other."""
    BY_LOOP = "by-loop"
    """Node: one loop for all queues of a topic, one batch after the other, without checking whether a queue was taken
    away."""
