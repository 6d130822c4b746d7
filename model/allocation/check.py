"""The argument checks at the start of each strategy.

Mirror of Java's ``AbstractAllocateMessageQueueStrategy.check``.
"""

from collections.abc import Sequence

from rebalance_proofs.model.queues import MessageQueue


class AllocationError(ValueError):
    """An error that the client throws in ``allocate``; the client then keeps its current queues.

    The text is the Java client's.
    """

    @property
    def instead(self) -> str:
        """Describe, as a verb phrase, what the client does instead of returning queues."""
        return f"throws ({self})"


def check(current_cid: str | None, mq_all: Sequence[MessageQueue] | None, cid_all: Sequence[str] | None) -> bool:
    """Return whether to allocate: False if ``current_cid`` is not in ``cid_all``.

    The result is then empty. Raises ``AllocationError`` for an empty id or an empty list, in the client's order of
    checks.
    """
    if not current_cid:
        raise AllocationError("currentCID is empty")
    if not mq_all:
        raise AllocationError("mqAll is null or mqAll empty")
    if not cid_all:
        raise AllocationError("cidAll is null or cidAll empty")
    return current_cid in cid_all
