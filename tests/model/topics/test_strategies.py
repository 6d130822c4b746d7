"""Strategies over several topics: results by hand, Kafka's own examples, and properties of random topics."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.strategy import AllocationError
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.topics import STRATEGIES
from rebalance_proofs.model.topics.encoding import queues_of
from tests.model.topics.topics import consumers, loads, shares, topics

BY_NAME = {strategy.name: strategy for strategy in STRATEGIES}
each_strategy = pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
PER_TOPIC = [strategy for strategy in STRATEGIES if strategy.encoding.per_topic]
ONE_LIST = [strategy for strategy in STRATEGIES if not strategy.encoding.per_topic]
each_per_topic = pytest.mark.parametrize("strategy", PER_TOPIC, ids=lambda strategy: strategy.name)
each_one_list = pytest.mark.parametrize("strategy", ONE_LIST, ids=lambda strategy: strategy.name)


def test_three_strategies_divide_per_topic_and_three_one_list():
    assert [strategy.name for strategy in PER_TOPIC] == ["avg-per-topic", "circle-per-topic", "kafka-range"]
    assert [strategy.name for strategy in ONE_LIST] == ["avg-one-list", "circle-one-list", "kafka-round-robin"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("avg-per-topic", [[0, 1, 3, 4], [2, 5]]),
        ("circle-per-topic", [[0, 2, 3, 5], [1, 4]]),
        ("kafka-range", [[0, 1, 3, 4], [2, 5]]),
        ("avg-one-list", [[0, 1, 2], [3, 4, 5]]),
        ("circle-one-list", [[0, 2, 4], [1, 3, 5]]),
        ("kafka-round-robin", [[0, 2, 4], [1, 3, 5]]),
    ],
)
def test_two_topics_of_three_queues_give_the_documented_result(name, expected):
    """Kafka's documented example: t0 has queues 0 to 2, t1 queues 3 to 5."""
    assert shares(BY_NAME[name], (3, 3), 2) == expected


KAFKA_EXAMPLES = {
    "kafka-range": {"C0": "t0p0 t0p1 t1p0 t1p1", "C1": "t0p2 t1p2"},
    "kafka-round-robin": {"C0": "t0p0 t0p2 t1p1", "C1": "t0p1 t1p0 t1p2"},
}


@pytest.mark.parametrize("name", KAFKA_EXAMPLES)
@pytest.mark.parametrize("backwards", [False, True], ids=["in order", "backwards"])
def test_kafka_examples_hold_for_any_input_order(name, backwards):
    partitions = [MessageQueue(topic, "broker-a", number) for topic in ("t0", "t1") for number in range(3)]
    members = ["C0", "C1"]
    seen = (partitions[::-1], members[::-1]) if backwards else (partitions, members)
    for member, expected in KAFKA_EXAMPLES[name].items():
        taken = BY_NAME[name].allocate(member, *seen)
        assert " ".join(f"{queue.topic}p{queue.queue_id}" for queue in taken) == expected


@each_per_topic
@given(count=st.integers(1, 20))
def test_first_consumer_has_the_extra_queue_of_every_topic(strategy, count):
    """The example of rocketmq#1945: the first has three queues of each topic, the second two."""
    assert loads(strategy, (5,) * count, 2) == [3 * count, 2 * count]


@each_strategy
@given(sizes=topics, n=consumers)
def test_every_queue_goes_to_exactly_one_consumer(strategy, sizes, n):
    given_out = [place for share in shares(strategy, sizes, n) for place in share]
    assert sorted(given_out) == list(range(sum(sizes)))


@each_strategy
@given(sizes=topics, n=consumers)
def test_results_keep_the_order_of_the_list(strategy, sizes, n):
    assert all(share == sorted(share) for share in shares(strategy, sizes, n))


@each_strategy
@given(sizes=topics, n=consumers)
def test_loads_differ_by_at_most_the_number_of_topics(strategy, sizes, n):
    found = loads(strategy, sizes, n)
    assert found == sorted(found, reverse=True)
    assert found[0] - found[-1] <= len(sizes)


@each_one_list
@given(sizes=topics, n=consumers)
def test_loads_over_one_list_differ_by_at_most_one(strategy, sizes, n):
    found = loads(strategy, sizes, n)
    assert max(found) - min(found) <= 1


@each_per_topic
@given(sizes=topics, n=consumers)
def test_skew_is_the_number_of_topics_with_a_remainder(strategy, sizes, n):
    """The last consumer has no remainder queue, the first has one in each topic."""
    found = loads(strategy, sizes, n)
    assert found[0] - found[-1] == sum(size % n > 0 for size in sizes)


@given(sizes=topics, n=consumers)
def test_kafka_range_equals_rocketmq_with_equal_subscriptions(sizes, n):
    assert shares(BY_NAME["kafka-range"], sizes, n) == shares(BY_NAME["avg-per-topic"], sizes, n)
    assert shares(BY_NAME["kafka-round-robin"], sizes, n) == shares(BY_NAME["circle-one-list"], sizes, n)


@each_strategy
def test_unlisted_consumer_gets_nothing(strategy):
    assert strategy.allocate("c9", queues_of((2, 1)), ["c0", "c1"]) == []


@pytest.mark.parametrize("name", ["avg-per-topic", "circle-per-topic", "avg-one-list", "circle-one-list"])
def test_empty_id_throws(name):
    with pytest.raises(AllocationError):
        BY_NAME[name].allocate("", queues_of((2, 1)), ["c0"])


@pytest.mark.parametrize("name", ["avg-per-topic", "circle-per-topic"])
def test_missing_topics_give_nothing(name):
    assert BY_NAME[name].allocate("c0", (), ["c0"]) == []


def value(term):
    """Of a term without unknowns."""
    return simplify(term).number


@each_strategy
@given(data=st.data(), q=st.integers(1, 40), c=consumers)
def test_one_list_encoding_equals_the_concrete_result(strategy, data, q, c):
    index = data.draw(st.integers(0, c - 1), "index")
    position = data.draw(st.integers(-2, q + 2), "position")
    all_shares = shares(strategy, (q,), c)
    listed = all_shares[index]
    view, at, e = [smt.IntVal(number) for number in (q, c, index)], smt.IntVal(position), strategy.encoding
    assert smt.is_true(simplify(e.owns(*view, at))) == (position in listed)
    assert value(e.count(*view)) == len(listed)
    if position in listed:
        k = listed.index(position)
        assert value(e.element(*view, smt.IntVal(k))) == position
        assert value(e.rank(*view, at)) == k
    if 0 <= position < q:
        assert position in all_shares[value(e.owner(*view[:2], at))]


@each_strategy
@given(data=st.data(), sizes=topics, c=consumers)
def test_summed_loads_equal_the_concrete_load(strategy, data, sizes, c):
    index = data.draw(st.integers(0, c - 1), "index")
    load, so_far = smt.IntVal(0), 0
    for size in sizes:
        load = simplify(
            strategy.encoding.load(load, smt.IntVal(so_far), smt.IntVal(size), smt.IntVal(c), smt.IntVal(index))
        )
        so_far += size
    assert value(load) == loads(strategy, sizes, c)[index]


@pytest.mark.parametrize("name", ["kafka-range", "kafka-round-robin"])
def test_kafka_sorts_by_utf16_units(name):
    """As in Java; by code points the other topic and the other member would be first."""
    first, second = "\U0001f600", "\uff5e"
    partitions = [MessageQueue(topic, "b", 0) for topic in (second, first)]
    assert BY_NAME[name].allocate(first, partitions, [second, first])[0] == partitions[1]
