"""Members without a subscription are assigned queues, and pull none of them."""

from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.premises.strategies import SAME_SUBSCRIPTION
from tests.model.premises.shares import shares


def test_share_of_an_unsubscribed_member_has_no_reader():
    """Eight queues, and one of two members subscribes to the topic: four are pulled (rocketmq#351)."""
    assert shares(SAME_SUBSCRIPTION, 2, 8, (1, 0)) == [[], [4, 5, 6, 7]]
    assert shares(SAME_SUBSCRIPTION, 2, 8, (0, 1), (AVERAGELY_BY_CIRCLE,)) == [[0, 2, 4, 6], []]


def test_unsubscribed_members_are_listed_and_have_a_share():
    group = SAME_SUBSCRIPTION.group((AVERAGELY_BY_CIRCLE,), 3, 3, (1, 0, 1))
    assert {consumer.cid_all for consumer in group.consumers} == {("c0", "c1", "c2")}
    assert [group.queues.index(*consumer.share) for consumer in group.consumers] == [0, 1, 2]
    assert [consumer.subscribes for consumer in group.consumers] == [False, True, False]


def test_at_least_one_member_subscribes():
    assert (1, 1) not in list(SAME_SUBSCRIPTION.all_values(2, 1))
    assert len(list(SAME_SUBSCRIPTION.all_values(2, 1))) == 3
