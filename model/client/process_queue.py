"""ProcessQueue: a consumer's state of a queue that it consumes."""

PULL_MAX_IDLE_TIME = 120_000
"""A pull older than this many ms is expired (``rocketmq.client.pull.pullMaxIdleTime``)."""

FREE, HELD, INTERRUPTED = range(3)
"""States of the consume lock, under which the listener runs.

The lock is free, held by the listener, or the attempt to take it is interrupted.
"""

LONG_AGO = -1_000_000_000
"""A timestamp older than any other."""


class ProcessQueue:
    """An entry of ``processQueueTable`` (RocketMQ ``client.impl.consumer.ProcessQueue``).

    Times are in ms.
    """

    __slots__ = (
        "cached",
        "consume_lock",
        "dropped",
        "last_lock_timestamp",
        "last_pull_timestamp",
        "locked",
        "pull_max_idle_time",
        "try_unlock_times",
    )

    def __init__(
        self,
        *,
        dropped: bool = False,
        locked: bool = False,
        last_pull_timestamp: int = 0,
        last_lock_timestamp: int = 0,
        consume_lock: int = FREE,
        cached: int = 0,
    ) -> None:
        self.dropped = dropped
        self.locked = locked
        """True if this client assumes that it holds the broker's lock."""
        self.last_pull_timestamp = last_pull_timestamp
        self.last_lock_timestamp = last_lock_timestamp
        self.consume_lock = consume_lock
        """State of the consume lock: ``FREE``, ``HELD`` or ``INTERRUPTED``."""
        self.cached = cached
        """The number of messages that were pulled but not consumed."""
        self.pull_max_idle_time = PULL_MAX_IDLE_TIME
        self.try_unlock_times = 0

    def is_pull_expired(self, now: int) -> bool:
        """Return whether the last pull is too long ago (``isPullExpired``)."""
        return now - self.last_pull_timestamp > self.pull_max_idle_time

    def has_temp_message(self) -> bool:
        """Return whether there are cached messages (``hasTempMessage``)."""
        return self.cached > 0
