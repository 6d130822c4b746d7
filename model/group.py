"""The consumers of one group, each with its own view of queues and client ids when it rebalances."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Protocol

from rebalance_proofs.model.allocation.check import AllocationError
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.queues import MessageQueue

Results = Sequence[Sequence[MessageQueue]]
"""The queues that each consumer of a group took, consumer by consumer."""


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
    """Whether it subscribes to the topic; if not, it is listed all the same, but never rebalances the topic."""

    @property
    def share(self) -> list[MessageQueue]:
        """The queues that the strategy gives it, subscribed or not; raises ``AllocationError`` as the client does."""
        return self.strategy.allocate(self.client_id, self.mq_all, self.cid_all) or []  # null: none is taken

    def allocate(self) -> list[MessageQueue]:
        """The queues that this consumer takes; raises ``AllocationError`` where the client throws."""
        return self.share if self.subscribes else []


class Setting(Protocol):
    """A strategy's inputs besides mqAll and cidAll: hash values, machine rooms, kinds of broker names."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about these inputs, one a line, for people who look at the group."""


@dataclass(frozen=True)
class Group:
    """The consumers of a group and the queues that its topic really has."""

    queues: tuple[MessageQueue, ...]
    consumers: tuple[Consumer, ...]
    setting: Setting | None = None
    reference: "Group | None" = None
    """The group to compare with: this one before somebody joined, or the same group run by another client."""

    @property
    def compared_with(self) -> "Group":
        """The ``reference``; raises ``ValueError`` when there is none."""
        if self.reference is None:
            raise ValueError("the group is compared with no other")
        return self.reference

    def allocate(self) -> list[list[MessageQueue]]:
        """Each consumer's result, computed from its own view; raises ``AllocationError`` where a client throws."""
        return [consumer.allocate() for consumer in self.consumers]

    @cached_property
    def allocated(self) -> list[list[MessageQueue]]:
        """The same, computed once, for guarantees that compare a group with this one."""
        return self.allocate()

    def results(self) -> list[list[MessageQueue]]:
        """Each consumer's result as in ``allocate``; an empty one where its client throws, as at its start."""
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
