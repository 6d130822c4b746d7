"""Names of queues and consumers in sentences."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.premises.ids import DISTINCT_IDS
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.proofs.allocation.stated import name_consumer, name_queue
from tests.proofs.allocation.handmade import agreed


def test_queue_is_named_by_its_index_in_the_topic():
    group = agreed(2, 3)
    assert [name_queue(group, queue) for queue in group.queues] == ["queue 0", "queue 1", "queue 2"]


def test_foreign_queue_is_described_in_full():
    assert "queue_id=7" in name_queue(agreed(2, 3), MessageQueue("T", "broker-a", 7))


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ((0, 0), ["c0", "c1", "c2"]),
        ((1, 0), ["c0 (process 0)", "c0 (process 1)", "c1"]),
        ((0, 1), ["c0", "c1 (process 1)", "c1 (process 2)"]),
    ],
)
def test_consumer_is_named_by_its_id_and_index_if_ids_are_equal(values, names):
    group = DISTINCT_IDS.group((AVERAGELY,), 3, 2, values)
    assert [name_consumer(group, place) for place in range(3)] == names
