"""One client with its rebalance thread, and the one change of what it is told: its code, action by action."""

from rebalance_proofs.model.possible import need
from rebalance_proofs.model.settling.rebalance_service import RebalanceService
from rebalance_proofs.model.settling.state import RUNS

__all__ = ["SettlingConsumer"]


class SettlingConsumer:
    """Raises ``Impossible`` where the client does not do that now. Times are in ms."""

    def __init__(self, service: RebalanceService) -> None:
        self.service = service
        self.now = 0
        self.began = 0
        self.ended: int | None = None
        """When the last rebalance did."""
        self.changed: int | None = None
        """When what it is told has changed."""
        self.told = False
        self.heard: int | None = None
        """When it was notified of that."""
        self.fresh = self.right = False

    def looks(self) -> None:
        """``waitForRunning`` begins."""
        self.service.looks()

    def resets(self) -> None:
        """The wait begins."""
        self.service.resets(self.now)

    def wakes(self) -> None:
        """The wait ends."""
        self.service.wakes(self.now, self.service.real_wait_interval)

    def clears(self) -> None:
        """``waitForRunning`` ends."""
        self.service.clears()

    def begins(self) -> None:
        """The client asks what there is from now on."""
        self.service.begins(self.now)
        self.began, self.fresh = self.now, self.changed is not None

    def postpones(self) -> None:
        """Too early."""
        self.service.postpones(self.now)

    def ends(self, *, seen: bool, balanced: bool) -> None:
        """A rebalance ends; ``seen``: it has seen the change, although it began before."""
        self.service.ends(self.now, balanced=balanced)
        self.right |= self.fresh or (seen and self.changed is not None)
        self.fresh, self.ended = False, self.now

    def fails(self, *, balanced: bool) -> None:
        """It ends, and has not done what it should."""
        self.service.ends(self.now, balanced=balanced)
        self.fresh, self.ended = False, self.now

    def changes(self) -> None:
        """What it is told changes, and it is sent a notification."""
        need(self.changed is None)
        self.changed, self.told = self.now, True

    def loses(self) -> None:
        """Which is lost."""
        need(self.told)
        self.told = False

    def notifies(self) -> None:
        """Which arrives (``notifyConsumerIdsChanged``, ``rebalanceImmediately``)."""
        need(self.told)
        self.told, self.heard = False, self.now
        self.service.wakeup()

    def stirs(self) -> None:
        """Something else wakes the thread."""
        need(not self.service.has_notified)
        self.service.wakeup()

    def counts(self) -> None:
        """The latch is counted down."""
        self.service.counts()

    @property
    def runs(self) -> bool:
        """A rebalance is under way."""
        return self.service.at == RUNS
