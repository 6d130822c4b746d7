"""A broker's answer to ``queryAssignment``."""

from collections.abc import Collection
from typing import Final, Literal, NamedTuple

from rebalance_proofs.model.queues import MessageQueue

BROKER_EXCEPTION: Final = "brokerexc"
TIMEOUT: Final = "timeout"
"""Answers without an assignment: the broker refuses; it does not answer in time."""


class Assignment(NamedTuple):
    """One client's queues of one topic, by how each is consumed (``MessageQueueAssignment`` says that)."""

    pull: Collection[MessageQueue] = ()
    pop: Collection[MessageQueue] = ()
    """Queues whose messages the broker hands out, so that several clients can have the same queue."""


Answer = Assignment | Literal["brokerexc", "timeout"] | None
"""An assignment, ``BROKER_EXCEPTION``, ``TIMEOUT``, or None for an answer without a list."""
