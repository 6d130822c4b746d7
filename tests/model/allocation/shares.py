"""Results as queue numbers, so that expected ones can be written by hand."""

from collections.abc import Sequence

from rebalance_proofs.model.allocation import Strategy


def share(strategy: Strategy, current_cid: str, q: int, cid_all: Sequence[str]) -> list[int]:
    """Ids of the queues that ``current_cid`` takes of the strategy's queues 0 .. q-1."""
    return [queue.queue_id for queue in strategy.allocate(current_cid, strategy.queues(q), cid_all)]


def shares(strategy: Strategy, q: int, cid_all: Sequence[str]) -> list[list[int]]:
    """The share of each entry of ``cid_all``."""
    return [share(strategy, client_id, q, cid_all) for client_id in cid_all]
