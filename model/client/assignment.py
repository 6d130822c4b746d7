"""A broker's response to a client's query for its queues (``queryAssignment``)."""

from collections.abc import Collection
from typing import Final, Literal, NamedTuple

from rebalance_proofs.model.queues import MessageQueue

BROKER_EXCEPTION: Final = "brokerexc"
TIMEOUT: Final = "timeout"
"""Responses without an assignment.

The broker refuses (``BROKER_EXCEPTION``), or it does not respond in time (``TIMEOUT``).
"""


class Assignment(NamedTuple):
    """One client's queues of one topic, separated by consumption mode.

    See ``MessageQueueAssignment``.
    """

    pull: Collection[MessageQueue] = ()
    pop: Collection[MessageQueue] = ()
    """Queues that the client consumes in pop mode.

    The broker distributes their messages, so several clients can have the same queue.
    """


Answer = Assignment | Literal["brokerexc", "timeout"] | None
"""An assignment, ``BROKER_EXCEPTION``, ``TIMEOUT``, or None for a response without a list."""
