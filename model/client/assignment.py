"""What a broker answers to ``queryAssignment``."""

from collections.abc import Collection
from typing import Final, Literal, NamedTuple

from rebalance_proofs.model.queues import MessageQueue

BROKER_EXCEPTION: Final = "brokerexc"
TIMEOUT: Final = "timeout"
"""In the place of an assignment: the broker refuses, or does not answer in time."""


class Assignment(NamedTuple):
    """The queues of one topic that are one client's; ``MessageQueueAssignment`` says of each how it is consumed."""

    pull: Collection[MessageQueue] = ()
    pop: Collection[MessageQueue] = ()
    """The broker hands out their messages, so that several clients can have the same queue."""


Answer = Assignment | Literal["brokerexc", "timeout"] | None
"""An assignment, ``BROKER_EXCEPTION``, ``TIMEOUT``, or None for an answer without a list."""
