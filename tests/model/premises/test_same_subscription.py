"""Members that do not subscribe are given shares, and read none of them."""

from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.premises.same_subscription import SAME_SUBSCRIPTION
from tests.model.premises.shares import shares


def test_the_share_of_a_member_without_the_topic_is_read_by_nobody():
    """Eight queues, and one of two members has the topic: four are left (rocketmq#351)."""
    assert shares(SAME_SUBSCRIPTION, 2, 8, (1, 0)) == [[], [4, 5, 6, 7]]
    assert shares(SAME_SUBSCRIPTION, 2, 8, (0, 1), (AVERAGELY_BY_CIRCLE,)) == [[0, 2, 4, 6], []]


def test_everybody_is_listed_and_has_a_share():
    group = SAME_SUBSCRIPTION.group((AVERAGELY_BY_CIRCLE,), 3, 3, (1, 0, 1))
    assert {consumer.cid_all for consumer in group.consumers} == {("c0", "c1", "c2")}
    assert [group.queues.index(*consumer.share) for consumer in group.consumers] == [0, 1, 2]
    assert [consumer.subscribes for consumer in group.consumers] == [False, True, False]


def test_somebody_subscribes():
    assert (1, 1) not in list(SAME_SUBSCRIPTION.all_values(2, 1))
    assert len(list(SAME_SUBSCRIPTION.all_values(2, 1))) == 3
