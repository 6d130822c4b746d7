"""Shares of a group: compared with the concrete strategies and with other implementations of Kafka's assignors."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as some

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.report.shares import divided as module
from rebalance_proofs.report.shares.described import Asked, Topic
from rebalance_proofs.report.shares.divided import divided, kafka
from rebalance_proofs.report.shares.told import ranges, sentence, symbols, told, troubles

LEVEL = (AVERAGELY, AVERAGELY_BY_CIRCLE)


@some.composite
def groups(draw):
    """Yield groups of up to three topics, whose members may see other lists or subscribe to fewer topics."""
    topics = tuple(
        Topic(f"T{number}", one_broker(draw(some.integers(1, 9)), f"T{number}"))
        for number in range(draw(some.integers(1, 3)))
    )
    ids = tuple(f"c{number}" for number in range(draw(some.integers(1, 5))))
    names = [topic.name for topic in topics]
    sees = draw(some.dictionaries(some.sampled_from(ids), some.sets(some.sampled_from((*ids, "z")), min_size=1)))
    return Asked(
        topics,
        ids,
        {one: tuple(sorted(seen)) for one, seen in sees.items()},
        draw(some.dictionaries(some.sampled_from(ids), some.integers(1, 9))),
        draw(some.dictionaries(some.sampled_from(ids), some.frozensets(some.sampled_from(names), min_size=1))),
    )


@given(groups(), some.sampled_from([*LEVEL, CONSISTENT_HASH]))
def test_share_is_what_the_member_computes_from_its_own_view(asked, strategy):
    found = divided(strategy, asked)
    for topic in asked.topics:
        taken = []
        for one in asked.ids:
            queues, ids = topic.queues[: asked.knows.get(one, 99)], asked.sees.get(one, asked.ids)
            mine = strategy.allocate(one, queues, ids) if topic.name in asked.subscribes.get(one, [topic.name]) else []
            assert list(found.shares[one, topic.name]) == mine
            taken += mine
        times = [taken.count(queue) for queue in topic.queues]
        assert dict(found.unread).get(topic, ()) == tuple(at for at, number in enumerate(times) if not number)
        assert dict(found.doubled).get(topic, ()) == tuple(at for at, number in enumerate(times) if number > 1)
        assert [symbol == "." for symbol in symbols(found, topic)] == [not number for number in times]
    assert sum(found.counts) == sum(map(len, found.shares.values()))


@given(some.integers(1, 30), some.integers(1, 9), some.sampled_from(LEVEL))
def test_equal_views_give_level_and_sound_shares(queues, consumers, strategy):
    found = divided(strategy, Asked((Topic("T", one_broker(queues)),), tuple(f"c{one}" for one in range(consumers))))
    assert found.level
    assert found.sound


def ranged(asked):
    """Kafka's RangeAssignor in other words: partition p of n over m members goes to the member of its range."""
    for topic in asked.topics:
        readers = [one for one in asked.ids if asked.reads(one, topic)]
        if not readers:
            continue
        owners = [place for place in range(len(readers)) for _ in range(len(topic.queues) // len(readers))]
        owners += list(range(len(readers)))[: len(topic.queues) % len(readers)]
        yield from zip(topic.queues, (readers[place] for place in sorted(owners)), strict=True)


def in_turn(asked):
    """Kafka's RoundRobinAssignor in other words: a pointer goes around the members that have the topic."""
    at = 0
    for topic in asked.topics:
        if not any(asked.reads(one, topic) for one in asked.ids):
            continue
        for queue in topic.queues:
            while not asked.reads(asked.ids[at % len(asked.ids)], topic):
                at += 1
            yield queue, asked.ids[at % len(asked.ids)]
            at += 1


@given(groups())
def test_kafka_assignors_with_unequal_subscriptions_equal_another_implementation(asked):
    for name, other in (("kafka-range", ranged), ("kafka-round-robin", in_turn)):
        found = kafka(name, asked)
        owners = {queue: one for (one, _), queues in found.shares.items() for queue in queues}
        assert owners == dict(other(asked)), name


def test_a_wrong_assignor_is_noticed(monkeypatch):
    """The comparison above fails for an assignor that ignores subscriptions."""
    range_, assign = module.KAFKA["kafka-range"]
    monkeypatch.setitem(module.KAFKA, "kafka-range", (range_, lambda queues, ids, topics: assign(queues, ids)))
    asked = Asked(
        (Topic("T", one_broker(3)), Topic("U", one_broker(3, "U"))), ("a", "b"), {}, {}, {"a": frozenset("T")}
    )
    found = kafka("kafka-range", asked)
    owners = {queue: one for (one, _), queues in found.shares.items() for queue in queues}
    assert owners != dict(ranged(asked))


def test_every_strategy_of_rocketmq_divides_a_default_group():
    asked = Asked((Topic("T", tuple(MessageQueue("T", "room1@a", place) for place in range(8))),), ("c0", "c1", "c2"))
    for strategy in ALL:
        found = divided(strategy, asked)
        assert found.sound is (strategy.name != "config"), strategy.name


def test_answer_names_queues_without_a_consumer_and_with_several():
    asked = Asked((Topic("T", one_broker(8)),), ("c0", "c1", "c2"), {"c2": ("c0", "c2")})
    every = [divided(AVERAGELY, asked)]
    assert sentence(every) == "With 8 queues and 3 consumers, AVG gives each consumer 3 or 4 queues."
    assert list(troubles(every)) == ["Under AVG, several consumers take queues 4 5."]
    lines = list(told(every))
    assert "c2 does not see c1." in lines
    assert "AVG    aaab##cc" in lines


def test_idle_consumers_are_counted():
    every = [divided(AVERAGELY, Asked((Topic("T", one_broker(2)),), ("c0", "c1", "c2", "c3")))]
    assert "gives each consumer 0 or 1 queues (2 consumers get none)." in sentence(every)


def test_failed_calls_are_named_with_their_error():
    rooms = Asked((Topic("T", one_broker(2)),), ("a1", "b1"), rooms=("a",))
    found = divided(next(one for one in ALL if one.name == "nearby"), rooms)
    assert not found.sound
    assert "throws (Machine room is null for mq" in " ".join(troubles([found]))


def test_queue_of_another_topic_is_no_share():
    found = divided(AVERAGELY, Asked((Topic("T", one_broker(2)),), ("c0", "c1")))
    strange = replace(found, shares={**found.shares, ("c0", "T"): (MessageQueue("X", "b", 7),)})
    assert not strange.sound
    assert "gives c0 a queue that its topic does not have: b 7." in " ".join(troubles([strange]))


def test_ranges_join_three_or_more_numbers():
    assert ranges([5, 0, 1, 2, 8, 7]) == "0-2 5 7 8"
    assert ranges([]) == ""
