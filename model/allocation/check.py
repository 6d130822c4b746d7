"""The argument checks that strategies start with (Java ``AbstractAllocateMessageQueueStrategy.check``)."""

from collections.abc import Sequence

from rebalance_proofs.model.queues import MessageQueue


class AllocationError(ValueError):
    """An error that the client throws; it then keeps the queues that it has. The text is the Java client's."""

    @property
    def instead(self) -> str:
        """What the client does instead of returning a list, as the rest of a sentence that begins with its name."""
        return f"throws ({self})"


def check(current_cid: str | None, mq_all: Sequence[MessageQueue] | None, cid_all: Sequence[str] | None) -> bool:
    """Whether to allocate at all: False when ``current_cid`` is not in ``cid_all`` (the result is then empty).

    Raises ``AllocationError`` for an empty id or an empty list, in the client's order of checks.
    """
    if not current_cid:
        raise AllocationError("currentCID is empty")
    if not mq_all:
        raise AllocationError("mqAll is null or mqAll empty")
    if not cid_all:
        raise AllocationError("cidAll is null or cidAll empty")
    return current_cid in cid_all
