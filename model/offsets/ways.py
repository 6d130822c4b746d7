"""The three kinds of message processing: concurrent, ordered, and Node's single loop."""

from enum import StrEnum


class Way(StrEnum):
    """How a consumer processes messages; it decides the offset machine's actions and fields."""

    CONCURRENTLY = "concurrently"
    """``MessageListenerConcurrently``: several messages at once, each recorded at its return."""
    ORDERLY = "orderly"
    """``MessageListenerOrderly``: one batch after the other."""
    BY_LOOP = "by-loop"
    """Node: one loop consumes batches of all queues of a topic, even of removed queues."""
