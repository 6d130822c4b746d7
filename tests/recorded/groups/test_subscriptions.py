"""What consumers subscribe to."""

from rebalance_proofs.recorded.groups.member import subscriptions, tags_of


def test_topics_have_tags_or_all():
    assert subscriptions("T1") == {"T1": {"*"}}
    assert subscriptions("T1:A||B,T2:*,T3:") == {"T1": {"A", "B"}, "T2": {"*"}, "T3": {"*"}}
    assert tags_of("A||B") == {"A", "B"}
    assert tags_of("") == tags_of("*") == {"*"}


def test_last_subscription_of_a_topic_counts():
    assert subscriptions("T1:A,T2,T1:B") == {"T1": {"B"}, "T2": {"*"}}
