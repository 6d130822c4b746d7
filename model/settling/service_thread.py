"""The client's service threads (``ServiceThread``), in steps between which other threads can act.

The flag and the latch are atomic, each for itself; an operation on both is not.
"""

from rebalance_proofs.model.possible import need

__all__ = ["CLEARS", "LOOKS", "RESETS", "RUNS", "WAITS", "WOKEN", "CountDownLatch2", "ServiceThread"]

LOOKS, RESETS, WAITS, CLEARS, WOKEN, RUNS = range(6)
"""Where the thread is: about to look at the flag; about to reset the latch, because the flag was not set; waiting for
the latch; about to clear the flag, because the wait has ended; behind ``waitForRunning``; in a rebalance."""


class CountDownLatch2:
    """A latch with a count of 1 that can be closed again."""

    def __init__(self) -> None:
        self.count = 1

    def count_down(self) -> None:
        """Opens the latch: a thread that waits goes on."""
        self.count = 0

    def reset(self) -> None:
        """Closes the latch: a thread that comes now waits."""
        self.count = 1


class ServiceThread:
    """``waitForRunning`` and ``wakeup``. Times are in ms."""

    def __init__(self) -> None:
        self.at = LOOKS
        self.has_notified = False
        self.wait_point = CountDownLatch2()
        self.since = 0
        self.wakers = 0
        """Threads in ``wakeup`` that have set the flag, and not yet counted down."""

    def looks(self) -> None:
        """``hasNotified.compareAndSet(true, false)``, with which ``waitForRunning`` begins."""
        need(self.at == LOOKS)
        self.at = WOKEN if self.has_notified else RESETS
        self.has_notified = False

    def resets(self, now: int) -> None:
        """``waitPoint.reset()``, and ``await`` begins."""
        need(self.at == RESETS)
        self.wait_point.reset()
        self.since, self.at = now, WAITS

    def wakes(self, now: int, interval: int) -> None:
        """``await`` returns."""
        need(self.at == WAITS and (self.wait_point.count == 0 or now >= self.since + interval))
        self.at = CLEARS

    def clears(self) -> None:
        """``hasNotified.set(false)``, with which ``waitForRunning`` ends."""
        need(self.at == CLEARS)
        self.has_notified, self.at = False, WOKEN

    def wakeup(self) -> None:
        """The first half of ``wakeup``: ``hasNotified.compareAndSet(false, true)``. If that fails, that is all."""
        if not self.has_notified:
            self.has_notified = True
            self.wakers += 1

    def counts(self) -> None:
        """The second half of ``wakeup``: ``waitPoint.countDown()``."""
        need(self.wakers > 0)
        self.wakers -= 1
        self.wait_point.count_down()
