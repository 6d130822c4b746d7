"""Owners of each queue in concrete groups, before, between and after two changes of members."""

from collections.abc import Iterator
from typing import NamedTuple

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import MessageQueue


class Path(NamedTuple):
    """A queue, and the ids of its owners before, between and after two changes.

    An id is None for no owner.
    """

    queue: MessageQueue
    before: str | None
    between: str | None
    after: str | None


def paths(group: Group, results: Results) -> Iterator[Path]:
    """Yield each queue with its owners before, between and after the two changes."""
    between, before = group.compared_with, group.compared_with.compared_with
    owners = [_owners(before, before.allocate()), _owners(between, between.allocate()), _owners(group, results)]
    for queue in group.queues:
        yield Path(queue, *(has.get(queue) for has in owners))


def _owners(group: Group, results: Results) -> dict[MessageQueue, str]:
    return {
        queue: consumer.client_id for consumer, result in zip(group.consumers, results, strict=True) for queue in result
    }
