"""The consumers of one group, each with its own view of the topic and the group.

A view is the queue list and the client-id list that the consumer has when it rebalances.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Protocol

from rebalance_proofs.model.allocation.strategy import AllocationError, Strategy
from rebalance_proofs.model.queues import MessageQueue

Results = Sequence[Sequence[MessageQueue]]
"""The queues that each consumer of a group took, one list per consumer."""


@dataclass(frozen=True)
class Consumer:
    """One consumer and all inputs of its rebalance of one topic."""

    client_id: str
    mq_all: tuple[MessageQueue, ...]
    """The topic's queues that this consumer knows, in its own sort order."""
    cid_all: tuple[str, ...]
    """The group's client ids as the broker returned them, in this client's sort order."""
    strategy: Strategy
    subscribes: bool = True
    """True if the consumer subscribes to the topic.

    Otherwise it is still in cidAll, but never rebalances the topic.
    """

    @property
    def share(self) -> list[MessageQueue]:
        """Return the queues that the strategy assigns to this consumer, subscribed or not.

        Raises ``AllocationError`` where the client throws.
        """
        return (
            self.strategy.allocate(self.client_id, self.mq_all, self.cid_all) or []
        )  # The strategy returned null, so the consumer takes no queue.

    def allocate(self) -> list[MessageQueue]:
        """Return the queues that this consumer takes: none if it does not subscribe.

        Raises ``AllocationError`` where the client throws.
        """
        return self.share if self.subscribes else []


class Setting(Protocol):
    """A strategy's inputs besides the two lists mqAll and cidAll.

    Examples are hash values, machine rooms and kinds of broker names.
    """

    @property
    def notes(self) -> tuple[str, ...]:
        """Return one sentence for each further input, for the printed description of a group."""


@dataclass(frozen=True)
class Group:
    """The consumers of a group, and the queues that its topic actually has."""

    queues: tuple[MessageQueue, ...]
    consumers: tuple[Consumer, ...]
    setting: Setting | None = None
    reference: "Group | None" = None
    """The group to compare with; None if there is none.

    This is the same group before a consumer joined, or the same group run by another client.
    """

    @property
    def compared_with(self) -> "Group":
        """Return ``reference``. Raises ``ValueError`` if the group has no reference."""
        if self.reference is None:
            raise ValueError("this group has no reference group to compare with")
        return self.reference

    def allocate(self) -> list[list[MessageQueue]]:
        """Return each consumer's result, computed from its own view.

        Raises ``AllocationError`` where a client throws.
        """
        return [consumer.allocate() for consumer in self.consumers]

    @cached_property
    def allocated(self) -> list[list[MessageQueue]]:
        """Return the cached result of ``allocate``, for guarantees that compare two groups."""
        return self.allocate()

    def results(self) -> list[list[MessageQueue]]:
        """Return each consumer's result, with an empty one where the client throws.

        A consumer that throws at its first rebalance owns no queues.
        """
        found = []
        for consumer in self.consumers:
            try:
                found.append(consumer.allocate())
            except AllocationError:
                found.append([])
        return found


@cache
def client_ids(count: int) -> tuple[str, ...]:
    """Return ``count`` distinct client ids that every client sorts in the same order."""
    return tuple(f"c{number}" for number in range(count)) if count <= 10 else tuple(f"c{n:04d}" for n in range(count))
