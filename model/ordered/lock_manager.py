"""Python code of the broker's lock of one queue."""

from dataclasses import dataclass


@dataclass
class LockEntry:
    """The broker's lock of one queue: its owner and time (``RebalanceLockManager.LockEntry``)."""

    client_id: int
    last_update_timestamp: int
    """Time of the last grant, in ms."""


class RebalanceLockManager:
    """RocketMQ ``broker.client.rebalance.RebalanceLockManager``, for one group and one queue.

    Locks are not persisted.
    """

    def __init__(self, lock_max_live_time: int) -> None:
        self._lock_max_live_time = lock_max_live_time
        self.entry: LockEntry | None = None

    def _expired(self, now: int) -> bool:
        return self.entry is not None and now - self.entry.last_update_timestamp > self._lock_max_live_time

    def try_lock(self, client_id: int, now: int) -> bool:
        """Request the lock (``tryLockBatch``). Return whether that client holds it afterwards."""
        if self.entry is None:
            self.entry = LockEntry(client_id, now)
        if self.entry.client_id != client_id and not self._expired(now):
            return False
        self.entry = LockEntry(client_id, now)
        return True

    def unlock(self, client_id: int) -> None:
        """Release the lock (``unlockBatch``) if that client holds it.

        The broker does not know when the client sent the request.
        """
        if self.entry is not None and self.entry.client_id == client_id:
            self.entry = None

    def restarts(self) -> None:
        """Restart the broker: locks are in memory only and are lost."""
        self.entry = None
