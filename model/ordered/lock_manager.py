"""The broker's lock of one queue, as code."""

from dataclasses import dataclass

__all__ = ["LockEntry", "RebalanceLockManager"]


@dataclass
class LockEntry:
    """``RebalanceLockManager.LockEntry``."""

    client_id: int
    last_update_timestamp: int
    """In ms."""


class RebalanceLockManager:
    """RocketMQ ``broker.client.rebalance.RebalanceLockManager``, for one group and one queue. Locks are not
    persisted."""

    def __init__(self, lock_max_live_time: int) -> None:
        self._lock_max_live_time = lock_max_live_time
        self.entry: LockEntry | None = None

    def _expired(self, now: int) -> bool:
        return self.entry is not None and now - self.entry.last_update_timestamp > self._lock_max_live_time

    def try_lock(self, client_id: int, now: int) -> bool:
        """Ask for the lock (``tryLockBatch``). Returns whether that client has it afterwards."""
        if self.entry is None:
            self.entry = LockEntry(client_id, now)
        if self.entry.client_id != client_id and not self._expired(now):
            return False
        self.entry = LockEntry(client_id, now)
        return True

    def unlock(self, client_id: int) -> None:
        """Give the lock back (``unlockBatch``), if that client holds it. The broker does not know when the client sent
        this."""
        if self.entry is not None and self.entry.client_id == client_id:
            self.entry = None

    def restarts(self) -> None:
        """The broker's process ends and begins anew; locks were in its memory alone."""
        self.entry = None
