"""The client's rebalance thread (``RebalanceService.run``), by version."""

from typing import TYPE_CHECKING

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.possible import need
from rebalance_proofs.model.settling.service_thread import LOOKS, RUNS, WOKEN, ParkingServiceThread, ServiceThread

if TYPE_CHECKING:
    from rebalance_proofs.model.machines.settling import Limits


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
