"""A change from any group to any other; the topic may grow meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.model.allocation.strategy import Strategy, queues_for
from rebalance_proofs.model.queues import MessageQueue, one_broker


@dataclass(frozen=True)
class Step:
    """One event of a change with known ids: ids that leave, and ids that join after that."""

    leaves: str = ""
    joins: str = ""
    grows: bool = False
    """True if the topic grows in this step."""

    def __str__(self) -> str:
        """Return the step in words: ``d joins``, ``a leaves``, ``a restarts as b``."""
        if self.grows:
            return "the topic grows"
        if self.leaves and self.joins:
            return f"{self.leaves} restarts as {self.joins}"
        return f"{self.joins} joins" if self.joins else f"{self.leaves} leaves"


@dataclass(frozen=True)
class Named:
    """The client ids of a change, if the user gives them."""

    before: tuple[str, ...]
    """Sorted ids before the change."""
    steps: tuple[Step, ...]
    """Events that lead to the ids after the change, in any order."""


@dataclass(frozen=True)
class Change:
    """Sizes of a group before and after a change; all consumers see the same lists."""

    queues: int
    before: int
    leave: int = 0
    join: int = 0
    restart: int = 0
    """Number of consumers that restart, each with a new id."""
    grown: int = 0
    """Number of queues after the topic has grown; 0 if it does not grow."""
    brokers: int = 1
    named: Named | None = None

    @property
    def after(self) -> int:
        """Return the number of consumers after the change."""
        return self.before - self.leave + self.join

    @property
    def stay(self) -> int:
        """Return the number of ids that are in the group before and after the change."""
        return self.before - self.leave - self.restart

    @property
    def events(self) -> int:
        """Return the number of events that the change consists of, one after the other."""
        return self.leave + self.join + self.restart + bool(self.grown)


def topic(strategy: Strategy, count: int, brokers: int) -> tuple[MessageQueue, ...]:
    """Return the topic's queues in the clients' sort order, spread evenly over the brokers."""
    if brokers == 1:
        return queues_for((strategy,), count)
    names = [f"broker-{number:02}" for number in range(brokers)]
    return tuple(queue for name in names for queue in one_broker(count // brokers, broker_name=name))


def old_places(strategy: Strategy, change: Change) -> list[int]:
    """Return the new position of each old queue, in the order of the old positions."""
    old, new = (topic(strategy, count, change.brokers) for count in (change.queues, change.grown or change.queues))
    places: Mapping[MessageQueue, int] = {queue: place for place, queue in enumerate(new)}
    return [places[queue] for queue in old]
