"""The client's ``ServiceThread`` by release: its wait and wake-up, in steps that can interleave.

Other threads can act between two steps. The flag, the latch, the permit and the interrupt are each atomic; an operation
on two of them is not.
"""

from typing import TYPE_CHECKING

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.possible import need

if TYPE_CHECKING:
    from rebalance_proofs.model.machines.settling.actions import Limits

LOOKS, RESETS, WAITS, CLEARS, WOKEN, RUNS, CHECKS = range(7)
"""Points that the thread can have reached in its loop.

In order: about to check the flag; about to reset the latch, because the flag was not set; waiting for the latch, or
parked; about to clear the flag, because the wait has ended; after ``waitForRunning``; in a rebalance; with ``park``,
about to check the flag again before it parks.
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

    Mirror of ``waitForRunning`` and ``wakeup`` up to 5.5.0, where the thread waits for a latch.
    """

    def __init__(self) -> None:
        self.at = LOOKS
        self.has_notified = False
        self.wait_point = CountDownLatch2()
        self.since = 0
        self.interrupted = False
        """Whether an interrupt of the thread is pending."""
        self.wakers = 0
        """Number of threads in ``wakeup`` that have set the flag and not yet counted down the latch."""

    @property
    def open(self) -> bool:
        """Whether the latch is open."""
        return self.wait_point.count == 0

    @open.setter
    def open(self, value: bool) -> None:
        self.wait_point.count = 0 if value else 1

    def looks(self, now: int = 0) -> None:
        """First step of ``waitForRunning``: ``hasNotified.compareAndSet(true, false)``."""
        need(self.at == LOOKS)
        self.at = WOKEN if self.has_notified else RESETS
        self.has_notified = False

    def resets(self, now: int) -> None:
        """Close the latch and begin to wait (``waitPoint.reset()``, ``await``)."""
        need(self.at == RESETS)
        self.wait_point.reset()
        self.since, self.at = now, WAITS

    def checks(self, now: int, interval: int) -> None:
        """Check the flag in the loop around ``park``; impossible for a thread without such a loop."""
        need(False)

    def wakes(self, now: int, interval: int) -> None:
        """End the wait (``await`` returns): the latch is open, or ``interval`` ms are over."""
        need(self.at == WAITS and (self.open or now >= self.since + interval))
        self.at = CLEARS

    def gives_up(self) -> None:
        """End the wait by an exception: ``await`` throws one if an interrupt is pending, and clears the interrupt."""
        need(self.at == WAITS and self.interrupted)
        self.interrupted, self.at = False, CLEARS

    def clears(self) -> None:
        """Last step of ``waitForRunning``: ``hasNotified.set(false)``."""
        need(self.at == CLEARS)
        self.has_notified, self.at = False, WOKEN

    def interrupt(self) -> None:
        """Interrupt the thread (``Thread.interrupt``)."""
        need(not self.interrupted)
        self.interrupted = True

    def wakeup(self) -> None:
        """First half of ``wakeup``: ``hasNotified.compareAndSet(false, true)``.

        If that fails, ``wakeup`` does nothing more. The check before it in 5.5.1 (``hasNotified.get()``) changes
        nothing: a flag that is set makes both fail.
        """
        if not self.has_notified:
            self.has_notified = True
            self.wakers += 1

    def counts(self) -> None:
        """Second half of ``wakeup``: ``waitPoint.countDown()``."""
        need(self.wakers > 0)
        self.wakers -= 1
        self.open = True


class ParkingServiceThread(ServiceThread):
    """A thread that parks until it is woken or a time has passed; times are in ms.

    Mirror of ``waitForRunning`` and ``wakeup`` from 5.5.1 on (rocketmq#10544). A permit replaces the latch: ``unpark``
    gives it, and ``park`` takes it.
    """

    permit = False

    @property
    def open(self) -> bool:
        """Whether the thread has a permit."""
        return self.permit

    @open.setter
    def open(self, value: bool) -> None:
        self.permit = value

    def looks(self, now: int = 0) -> None:
        """First steps of ``waitForRunning``: ``hasNotified.compareAndSet(true, false)``, then the deadline."""
        need(self.at == LOOKS)
        self.at, self.since = (WOKEN, self.since) if self.has_notified else (CHECKS, now)
        self.has_notified = False

    def resets(self, now: int) -> None:
        """Reset a latch; impossible for a thread without one."""
        need(False)

    def checks(self, now: int, interval: int) -> None:
        """Check the flag and the deadline in the loop around ``park``."""
        need(self.at == CHECKS)
        self.at = CLEARS if self.has_notified or now >= self.since + interval else WAITS

    def wakes(self, now: int, interval: int) -> None:
        """``LockSupport.parkNanos`` returns: for a permit, an interrupt, the deadline, or no reason at all.

        A pending interrupt ends the loop around it and stays pending (``Thread.currentThread().interrupt()``).
        """
        need(self.at == WAITS)
        self.permit, self.at = False, CLEARS if self.interrupted else CHECKS

    def gives_up(self) -> None:
        """End the wait by an exception; impossible, because ``park`` throws none."""
        need(False)


# The client's rebalance thread (``RebalanceService.run``), by version.


class RebalanceService(ServiceThread):
    """The rebalance thread up to 5.1.4, started at 0 ms: it waits and rebalances in turn."""

    def __init__(self, limits: "Limits") -> None:
        super().__init__()
        self.limits = limits
        self.real_wait_interval = number(limits.wait)
        self.last_rebalance_timestamp = 0

    def begins(self, now: int) -> None:
        """A rebalance begins in the thread (``doRebalance``)."""
        need(self.at == WOKEN and self.rest(now) == 0)
        self.at = RUNS

    def postpones(self, now: int) -> None:
        """Wait once more, for the rest of the minimum interval."""
        rest = self.rest(now)
        need(self.at == WOKEN and rest > 0)
        self.at, self.real_wait_interval = LOOKS, rest

    def ends(self, now: int, *, balanced: bool) -> None:
        """The rebalance ends; ``balanced``: its result."""
        need(self.at == RUNS)
        self.at, self.last_rebalance_timestamp = LOOKS, now
        self.real_wait_interval = self.waits(balanced=balanced)

    def swallows(self) -> None:
        """A call in the rebalance that waits is interrupted: it throws an exception and clears the interrupt."""
        need(self.at == RUNS and self.interrupted)
        self.interrupted = False

    def rest(self, now: int) -> int:
        """Return the ms until a rebalance may begin; 0 if it may begin now."""
        return 0

    def waits(self, *, balanced: bool) -> int:
        """Return the ms for which the thread waits after a rebalance."""
        return number(self.limits.wait)


class RebalanceServiceV5_2(RebalanceService):
    """The rebalance thread from 5.2.0 on: at least ``minInterval`` between rebalances.

    It waits only ``minInterval`` if the group is not balanced.
    """

    def rest(self, now: int) -> int:
        return max(0, number(self.limits.least) - (now - self.last_rebalance_timestamp))

    def waits(self, *, balanced: bool) -> int:
        return number(self.limits.wait if balanced else self.limits.least)


class RebalanceServiceV5_5_1(ParkingServiceThread, RebalanceServiceV5_2):
    """The rebalance thread of 5.5.0 on the ``ServiceThread`` of 5.5.1, which parks."""
