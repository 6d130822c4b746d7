"""The client's ``ServiceThread``: its wait and wake-up, in steps that can interleave.

Other threads can act between two steps. The flag and the latch are each atomic; an operation on both is not.
"""

from rebalance_proofs.model.possible import need

__all__ = ["CLEARS", "LOOKS", "RESETS", "RUNS", "WAITS", "WOKEN", "CountDownLatch2", "ServiceThread"]

LOOKS, RESETS, WAITS, CLEARS, WOKEN, RUNS = range(6)
"""Points that the thread can have reached in its loop.

In order: about to check the flag; about to reset the latch, because the flag was not set; waiting for the latch; about
to clear the flag, because the wait has ended; after ``waitForRunning``; in a rebalance.
"""


class CountDownLatch2:
    """A latch with a count of 1 that can be closed again."""

    def __init__(self) -> None:
        self.count = 1

    def count_down(self) -> None:
        """Open the latch: a waiting thread continues."""
        self.count = 0

    def reset(self) -> None:
        """Close the latch: a thread that calls ``await`` now waits."""
        self.count = 1


class ServiceThread:
    """A thread that waits until it is woken or a time has passed; times are in ms.

    Mirror of ``waitForRunning`` and ``wakeup``.
    """

    def __init__(self) -> None:
        self.at = LOOKS
        self.has_notified = False
        self.wait_point = CountDownLatch2()
        self.since = 0
        self.wakers = 0
        """Number of threads in ``wakeup`` that have set the flag and not yet counted down the latch."""

    def looks(self) -> None:
        """First step of ``waitForRunning``: ``hasNotified.compareAndSet(true, false)``."""
        need(self.at == LOOKS)
        self.at = WOKEN if self.has_notified else RESETS
        self.has_notified = False

    def resets(self, now: int) -> None:
        """Close the latch and begin to wait (``waitPoint.reset()``, ``await``)."""
        need(self.at == RESETS)
        self.wait_point.reset()
        self.since, self.at = now, WAITS

    def wakes(self, now: int, interval: int) -> None:
        """End the wait (``await`` returns): the latch is open, or ``interval`` ms are over."""
        need(self.at == WAITS and (self.wait_point.count == 0 or now >= self.since + interval))
        self.at = CLEARS

    def clears(self) -> None:
        """Last step of ``waitForRunning``: ``hasNotified.set(false)``."""
        need(self.at == CLEARS)
        self.has_notified, self.at = False, WOKEN

    def wakeup(self) -> None:
        """First half of ``wakeup``: ``hasNotified.compareAndSet(false, true)``.

        If that fails, ``wakeup`` does nothing more.
        """
        if not self.has_notified:
            self.has_notified = True
            self.wakers += 1

    def counts(self) -> None:
        """Second half of ``wakeup``: ``waitPoint.countDown()``."""
        need(self.wakers > 0)
        self.wakers -= 1
        self.wait_point.count_down()
