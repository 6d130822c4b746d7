"""Every premise holds, by hand."""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.worlds.groups import AGREED
from tests.model.premises.shares import shares


def test_all_consumers_see_the_same_lists():
    group = AGREED.group((AVERAGELY,), 3, 4, ())
    assert [consumer.client_id for consumer in group.consumers] == ["c0", "c1", "c2"]
    assert {(consumer.mq_all, consumer.cid_all) for consumer in group.consumers} == {(group.queues, ("c0", "c1", "c2"))}
    assert len(group.queues) == 4


def test_seven_queues_are_divided_among_three_consumers():
    assert shares(AGREED, 3, 7, ()) == [[0, 1, 2], [3, 4], [5, 6]]


def test_agreed_world_drops_no_assumption():
    assert not AGREED.dropped
