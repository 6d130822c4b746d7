"""Results in a premise's groups as queue numbers, so that expected ones can be written by hand."""

from rebalance_proofs.model.allocation import Strategy
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.worlds.groups import Groups, Values


def shares(
    world: Groups, n: int, q: int, values: Values, strategies: tuple[Strategy, ...] = (AVERAGELY,)
) -> list[list[int]]:
    """Each consumer's result as places among the topic's queues."""
    group = world.group(strategies, n, q, values)
    return [[group.queues.index(queue) for queue in result] for result in group.allocate()]
