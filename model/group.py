"""Consumers of one group, each with what it has seen when it rebalances."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Protocol

from rebalance_proofs.model.allocation.check import AllocationError
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.queues import MessageQueue

Results = Sequence[Sequence[MessageQueue]]
"""What the consumers of a group took, in their order."""


@dataclass(frozen=True)
class Consumer:
    """One consumer and its view: everything that its rebalance of one topic depends on."""

    client_id: str
    mq_all: tuple[MessageQueue, ...]
    """The topic's queues as this consumer knows and sorts them."""
    cid_all: tuple[str, ...]
    """The group's client ids as this consumer was told and sorts them."""
    strategy: Strategy
    subscribes: bool = True
    """Whether it subscribes to the topic. One that does not is listed all the same, and never rebalances the topic."""

    @property
    def share(self) -> list[MessageQueue]:
        """What falls to it in everybody's reckoning; raises ``AllocationError`` where the client throws."""
        return self.strategy.allocate(self.client_id, self.mq_all, self.cid_all) or []  # of null the client takes none

    def allocate(self) -> list[MessageQueue]:
        """The queues that this consumer takes; raises ``AllocationError`` where the client throws."""
        return self.share if self.subscribes else []


class Setting(Protocol):
    """What else a strategy goes by, besides the two lists: hash values, machine rooms, kinds of broker names."""

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence a line, for people who look at the group."""


@dataclass(frozen=True)
class Group:
    """The consumers of a group and the queues that its topic really has."""

    queues: tuple[MessageQueue, ...]
    consumers: tuple[Consumer, ...]
    setting: Setting | None = None
    reference: "Group | None" = None
    """What the group is compared with: itself before somebody joined, or the same group run by another client."""

    @property
    def compared_with(self) -> "Group":
        """Its reference. Raises ``ValueError`` for a group that is compared with none."""
        if self.reference is None:
            raise ValueError("the group is compared with no other")
        return self.reference

    def allocate(self) -> list[list[MessageQueue]]:
        """Each consumer's result, computed alone from its own view; raises where one of the clients throws."""
        return [consumer.allocate() for consumer in self.consumers]

    @cached_property
    def allocated(self) -> list[list[MessageQueue]]:
        """The same, computed once, for guarantees that compare a group with this one."""
        return self.allocate()

    def results(self) -> list[list[MessageQueue]]:
        """Each consumer's result; a consumer whose client throws has nothing, as when it starts."""
        found = []
        for consumer in self.consumers:
            try:
                found.append(consumer.allocate())
            except AllocationError:
                found.append([])
        return found


@cache
def client_ids(count: int) -> tuple[str, ...]:
    """``count`` distinct ids in every client's order."""
    return tuple(f"c{number}" for number in range(count)) if count <= 10 else tuple(f"c{n:04d}" for n in range(count))
