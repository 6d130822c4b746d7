"""Groups with one more consumer, by hand."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.model.worlds.joins import JOINS
from tests.model.premises.shares import shares


@pytest.mark.parametrize("joiner", [0, 1, 2])
def test_other_consumers_see_the_list_without_the_joiner_before(joiner):
    group = JOINS.group((AVERAGELY,), 3, 2, (joiner,))
    others = tuple(f"c{place}" for place in range(3) if place != joiner)
    before = group.reference
    assert tuple(consumer.client_id for consumer in before.consumers) == others
    assert {consumer.cid_all for consumer in before.consumers} == {others}
    assert {consumer.mq_all for consumer in before.consumers} == {group.queues} == {before.queues}
    assert before.reference is None


@pytest.mark.parametrize("joiner", [0, 1, 2])
def test_assumptions_hold_after_the_join(joiner):
    group = JOINS.group((AVERAGELY,), 3, 7, (joiner,))
    assert group.consumers == AGREED.group((AVERAGELY,), 3, 7, ()).consumers
    assert shares(JOINS, 3, 7, (joiner,)) == [[0, 1, 2], [3, 4], [5, 6]]


def test_first_consumer_has_an_empty_reference():
    assert JOINS.group((AVERAGELY,), 1, 2, (0,)).reference.consumers == ()


@pytest.mark.parametrize(
    ("strategy", "joiner", "before"),
    [
        pytest.param(AVERAGELY, 0, [[0, 1], [2, 3]], id="avg, the first"),
        pytest.param(AVERAGELY, 2, [[0, 1], [2, 3]], id="avg, the last"),
        pytest.param(AVERAGELY_BY_CIRCLE, 1, [[0, 2], [1, 3]], id="circle"),
    ],
)
def test_reference_is_the_division_without_the_joiner(strategy, joiner, before):
    group = JOINS.group((strategy,), 3, 4, (joiner,))
    assert [[queue.queue_id for queue in result] for result in group.reference.allocate()] == before


def test_join_drops_no_assumption():
    assert not JOINS.dropped
    assert JOINS.varied
