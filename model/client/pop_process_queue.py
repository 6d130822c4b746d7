"""PopProcessQueue: a consumer's state of a queue that it consumes in pop mode."""

from rebalance_proofs.model.client.process_queue import PULL_MAX_IDLE_TIME


class PopProcessQueue:
    """An entry of ``popProcessQueueTable`` (RocketMQ ``client.impl.consumer.PopProcessQueue``).

    Times are in ms.
    """

    __slots__ = ("dropped", "last_pop_timestamp")

    def __init__(self, *, dropped: bool = False, last_pop_timestamp: int = 0) -> None:
        self.dropped = dropped
        self.last_pop_timestamp = last_pop_timestamp

    def is_pull_expired(self, now: int) -> bool:
        """Return whether the last pop is too long ago.

        Mirror of ``isPullExpired``, with the same limit as for pulls.
        """
        return now - self.last_pop_timestamp > PULL_MAX_IDLE_TIME
