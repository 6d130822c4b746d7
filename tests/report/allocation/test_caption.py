"""Counterexamples in words."""

from rebalance_proofs.model.premises import OWN_ID_LISTED, SAME_CID_ALL, SAME_MQ_ALL, SAME_STRATEGY
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.report.allocation.caption import caption, summary
from tests.report.groups import AVG, CIRCLE, counterexample, grown, joined, smallest_of


def test_caption_of_different_cid_all():
    assert caption(counterexample("disjoint", SAME_CID_ALL, 2, 1, (0, 0, 1))) == (
        "All consumers see mqAll [0].",
        "c0 sees cidAll [c0], has index 0 and takes queue 0.",
        "c1 sees cidAll [c1], has index 0 and takes queue 0.",
        "Queue 0 is consumed by both c0 and c1.",
    )


def test_caption_of_different_mq_all():
    assert caption(counterexample("covers", SAME_MQ_ALL, 2, 2, (0, 1, 0, 1))) == (
        "All consumers see cidAll [c0, c1].",
        "c0 sees mqAll [0], has index 0 and takes queue 0.",
        "c1 sees mqAll [1], has index 1 and takes nothing.",
        "Queue 1 has no consumer.",
    )


def test_caption_of_different_strategies():
    lines = caption(counterexample("disjoint", SAME_STRATEGY, 2, 3, (0, 1), AVG, CIRCLE))
    assert lines[1] == "c0 runs AVG, has index 0 and takes queues 0 and 1."
    assert lines[2] == "c1 runs AVG_BY_CIRCLE, has index 1 and takes queue 1."


def test_caption_of_a_single_consumer_with_a_missing_id():
    assert caption(counterexample("covers", OWN_ID_LISTED, 1, 1, (1,)))[0] == (
        "c0 sees cidAll [c0-old] and mqAll [0], does not find its own id and takes nothing."
    )


def test_client_id_is_printed_unchanged():
    lines = caption(counterexample("contiguous", AGREED, 2, 3, (), CIRCLE))
    assert lines[-1] == "c0 has positions 0 and 2, but nothing between them."


def test_join_caption_names_both_allocations_and_the_moved_queues():
    assert caption(joined(AVG, 3, 2, 0)) == (
        "All consumers see mqAll [0, 1].",
        "Before c0 joins, with cidAll [c1, c2]: c1 takes queue 0; c2 takes queue 1.",
        "After c0 has joined, with cidAll [c0, c1, c2]: c0 takes queue 0; c1 takes queue 1; c2 takes nothing.",
        "Moves: queue 0 from c1 to c0; queue 1 from c2 to c1.",
        "It is so.",
    )


def test_join_caption_of_an_empty_group():
    assert "Before c0 joins: no consumers." in caption(joined(AVG, 1, 1, 0))


def test_growth_caption_names_the_previous_routes():
    assert caption(grown(AVG, 2, 3, 0, 1)) == (
        "All consumers see cidAll [c0, c1].",
        "Before queue 0 was added, with mqAll [1, 2]: c0 takes queue 1; c1 takes queue 2.",
        "After queue 0 was added, with mqAll [0, 1, 2]: c0 takes queues 0 and 1; c1 takes queue 2.",
        "Moves: queue 0 from no consumer to c0.",
        "It is so.",
    )


def test_two_stage_caption_begins_with_the_first_group():
    assert caption(smallest_of("joins.avg.once")) == (
        "All consumers see mqAll [0].",
        "At first, with cidAll [c2]: c2 takes queue 0.",
        "Before c0 joins, with cidAll [c1, c2]: c1 takes queue 0; c2 takes nothing.",
        "After c0 has joined, with cidAll [c0, c1, c2]: c0 takes queue 0; c1 takes nothing; c2 takes nothing.",
        "Moves: queue 0 from c1 to c0.",
        "Queue 0 goes from c2 to c1, and then to c0.",
    )


def test_consumer_without_subscription_is_named():
    assert "c0 has index 0, does not subscribe to the topic and takes nothing." in caption(
        smallest_of("allocation.avg.covers.without-same-subscription")
    )


def test_caption_of_two_clients_names_both_results():
    assert caption(smallest_of("clients.room+room-go.same")) == (
        "consumeridcs is {room1}; queue 0 on room1@.",
        "c0 sees cidAll [c0] and mqAll [0].",
        "When run by the Go client: c0 takes queue 0.",
        "When run by the Java client: c0 takes nothing.",
        "Differences: queue 0 goes to c0 in Go, to no consumer in Java.",
        "c0 takes queue 0 by the Go client, and does not by the Java client.",
    )


def test_caption_of_a_mixed_group_names_the_clients():
    lines = caption(smallest_of("clients.nearby+nearby-go.disjoint.without-same-client"))
    assert lines[:2] == ("Room A: c1, queue 0.", "Room B: c0.")
    assert lines[3] == "c0 runs MACHINE_ROOM_NEARBY of the Go client, has index 0 and takes queue 0."


def test_two_configurations_of_a_strategy_are_one_strategy():
    assert not [line for line in caption(smallest_of("allocation.config.disjoint")) if " runs " in line]


def test_queue_outside_the_topic_is_named():
    assert "takes broker-z:0, which the topic does not have" in caption(smallest_of("allocation.config.sublist"))[1]


def test_summary_omits_the_inputs():
    assert summary(counterexample("covers", SAME_MQ_ALL, 2, 2, (0, 1, 0, 1))) == (
        "c0 takes queue 0.",
        "c1 takes nothing.",
        "Queue 1 has no consumer.",
    )


def test_summary_of_a_comparison_lists_the_differences():
    example = joined(AVG, 3, 2, 0)
    assert summary(example) == caption(example)[-2:]
