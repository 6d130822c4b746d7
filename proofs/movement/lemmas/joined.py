"""Effects of a join on concrete results: queues that others keep, gain and give away."""

from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import MessageQueue


@dataclass(frozen=True)
class Other:
    """A consumer that existed before the join, with its queues before and after."""

    place: int
    """The consumer's index in the group after the join."""
    before: Sequence[MessageQueue]
    after: Sequence[MessageQueue]

    @property
    def gained(self) -> list[MessageQueue]:
        """Return the queues that the consumer has now and did not have before."""
        return [queue for queue in self.after if queue not in self.before]

    @property
    def given_away(self) -> list[MessageQueue]:
        """Return the queues that the consumer had before and has lost."""
        return [queue for queue in self.before if queue not in self.after]

    @property
    def kept(self) -> list[MessageQueue]:
        """Return the queues that the consumer had before and still has."""
        return [queue for queue in self.before if queue in self.after]


def others(group: Group, results: Results) -> list[Other]:
    """Return the consumers that are also in the group before the join, in the group's order.

    Consumers are identified by id.
    """
    before = group.compared_with
    had = dict(zip((consumer.client_id for consumer in before.consumers), before.allocated, strict=True))
    return [
        Other(place, had[consumer.client_id], results[place])
        for place, consumer in enumerate(group.consumers)
        if consumer.client_id in had
    ]


def joiner(group: Group) -> int:
    """Return the index of the consumer that was not in the group before the join."""
    before = {consumer.client_id for consumer in group.compared_with.consumers}
    return next(place for place, consumer in enumerate(group.consumers) if consumer.client_id not in before)


def changed_hands(group: Group, results: Results) -> int:
    """Return the number of queues that some consumer had before the join and has lost."""
    return sum(len(other.given_away) for other in others(group, results))


def staying(group: Group, results: Results) -> set[MessageQueue]:
    """Return the queues that are still with their consumer of before the join."""
    return {queue for other in others(group, results) for queue in other.kept}
