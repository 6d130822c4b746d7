"""Queues of brokers that stand in machine rooms."""

from collections.abc import Sequence

from hypothesis import strategies as st

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.queues import MessageQueue, positions_in


def queues_on(broker_names: Sequence[str]) -> list[MessageQueue]:
    """One queue on each of these brokers, each with its own id."""
    return [MessageQueue("T", broker_name, number) for number, broker_name in enumerate(broker_names)]


def room_shares(
    strategy: Strategy, rooms: Sequence[str], broker_names: Sequence[str], cid_all: Sequence[str]
) -> list[list[int]]:
    """For each entry of ``cid_all`` the positions that it takes, under a strategy with ``consumeridcs``."""
    allocate, mq_all = strategy.configured(consumeridcs=rooms).allocate, queues_on(broker_names)
    return [positions_in(mq_all, allocate(cid, mq_all, cid_all)) for cid in cid_all]


BROKER_NAMES = st.lists(st.text("ab@", max_size=5), min_size=1, max_size=12)
ROOMS = st.lists(st.text("ab", max_size=2), max_size=4, unique=True)
