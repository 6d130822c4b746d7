"""Consumers of a group: each computes its allocation alone, from its own cidAll and mqAll."""

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.strategy import AllocationError
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.queues import one_broker

QUEUES = one_broker(4)
IDS = ("c0", "c1")


def test_each_consumer_allocates_from_its_own_view():
    group = Group(
        QUEUES,
        (
            Consumer("c0", QUEUES, IDS, AVERAGELY),
            Consumer("c1", QUEUES, IDS, AVERAGELY_BY_CIRCLE),
            Consumer("c1", QUEUES[1:], IDS, AVERAGELY),
            Consumer("c2", QUEUES, (*IDS, "c2"), AVERAGELY),
            Consumer("c3", QUEUES, IDS, AVERAGELY),
        ),
    )
    listed = [[queue.queue_id for queue in result] for result in group.allocate()]
    assert listed == [[0, 1], [1, 3], [3], [3], []]


def test_reference_group_does_not_change_results():
    one = Group(QUEUES, (Consumer("c0", QUEUES, ("c0",), AVERAGELY),))
    both = tuple(Consumer(client_id, QUEUES, IDS, AVERAGELY) for client_id in IDS)
    assert (one.setting, one.reference) == (None, None)
    compared = Group(QUEUES, both, reference=one)
    assert compared.allocate() == Group(QUEUES, both).allocate() == [[*QUEUES[:2]], [*QUEUES[2:]]]
    assert compared.reference.allocate() == [[*QUEUES]]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_consumer_without_a_route_raises_the_clients_error(strategy):
    with pytest.raises(AllocationError, match="mqAll is null or mqAll empty"):
        Consumer("c0", (), IDS, strategy).allocate()


def test_throwing_consumer_has_an_empty_result():
    group = Group(QUEUES, (Consumer("c0", QUEUES, IDS, AVERAGELY), Consumer("c1", (), IDS, AVERAGELY)))
    assert group.results() == [[*QUEUES[:2]], []]
    with pytest.raises(AllocationError):
        group.allocate()


@pytest.mark.parametrize("count", [0, 1, 10, 11, 101])
def test_client_ids_are_distinct_and_sorted(count):
    ids = client_ids(count)
    assert len(set(ids)) == count
    assert list(ids) == sorted(ids)


def test_one_broker_numbers_its_queues_from_0():
    assert [queue.queue_id for queue in QUEUES] == [0, 1, 2, 3]
    assert list(QUEUES) == sorted(QUEUES)
    assert {queue[:2] for queue in QUEUES} == {("T", "broker-a")}
