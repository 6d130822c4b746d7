"""Results over several topics as places among all queues, and random topics."""

from collections.abc import Sequence

from hypothesis import strategies as st

from rebalance_proofs.model.allocation import Strategy
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.topics.encoding import queues_of


def shares(strategy: Strategy, sizes: Sequence[int], consumers: int) -> list[list[int]]:
    """Places that each of ``n`` consumers gets, for topics of these sizes."""
    queues, ids = queues_of(sizes), client_ids(consumers)
    results = [strategy.allocate(client_id, queues, ids) for client_id in ids]
    return [[queues.index(queue) for queue in result] for result in results]


def loads(strategy: Strategy, sizes: Sequence[int], consumers: int) -> list[int]:
    """Number of queues of each consumer."""
    return [len(share) for share in shares(strategy, sizes, consumers)]


topics = st.lists(st.integers(1, 12), min_size=1, max_size=14)
consumers = st.integers(1, 9)
