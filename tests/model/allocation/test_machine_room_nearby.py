"""MACHINE_ROOM_NEARBY by hand, and what follows for any rooms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.config import by_config
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room_nearby import (
    MACHINE_ROOM_NEARBY,
    MACHINE_ROOM_NEARBY_GO,
    ONE_ROOM,
    MachineRoomResolver,
)
from rebalance_proofs.model.allocation.strategy import AllocationError, Fault
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.profiles import JAVA_V5, RUST
from rebalance_proofs.model.queues import MessageQueue, one_broker
from tests.model.allocation.shares import shares


def resolver(queue_rooms, consumer_rooms):
    """Rooms by the number of the queue and of the consumer."""
    return MachineRoomResolver(lambda queue: queue_rooms[queue.queue_id], lambda cid: consumer_rooms[int(cid[1:])])


def nearby(queue_rooms, consumer_rooms, inner=AVERAGELY, strategy=MACHINE_ROOM_NEARBY):
    """The numbers of the queues that each consumer takes."""
    configured = strategy.configured(inner=inner.allocate, resolver=resolver(queue_rooms, consumer_rooms))
    return shares(configured, len(queue_rooms), client_ids(len(consumer_rooms)))


@pytest.mark.parametrize(
    ("queue_rooms", "consumer_rooms", "expected"),
    [
        pytest.param("AAAA", "AA", [[0, 1], [2, 3]], id="one room"),
        pytest.param("AABB", "AB", [[0, 1], [2, 3]], id="everybody in their own room"),
        pytest.param("BABA", "AB", [[1, 3], [0, 2]], id="rooms alternate"),
        pytest.param("AABB", "AC", [[0, 1, 2], [3]], id="a room without consumers is everybody's"),
        pytest.param("CCAA", "DD", [[2, 0], [3, 1]], id="rooms in the order of their names"),
        pytest.param("AAAA", "BAA", [[], [0, 1], [2, 3]], id="a consumer alone in its room gets nothing"),
        pytest.param("A", "BB", [[0], []], id="nobody is near"),
    ],
)
def test_nearby_results_equal_the_results_by_hand(queue_rooms, consumer_rooms, expected):
    assert nearby(queue_rooms, consumer_rooms) == expected


def test_room_names_are_ordered_by_utf16_units():
    assert nearby(["\uff21", "\U0001f600"], "A") == [[1, 0]]


rooms = st.text("ABC", min_size=1, max_size=10)
inners = st.sampled_from([AVERAGELY, AVERAGELY_BY_CIRCLE, CONSISTENT_HASH])


@given(queue_rooms=rooms, consumer_rooms=rooms, inner=inners)
def test_each_queue_goes_to_one_consumer_of_its_room_if_possible(queue_rooms, consumer_rooms, inner):
    found = nearby(queue_rooms, consumer_rooms, inner)
    assert sorted(queue for share in found for queue in share) == list(range(len(queue_rooms)))
    for consumer_room, share in zip(consumer_rooms, found, strict=True):
        for queue in share:
            assert queue_rooms[queue] == consumer_room or queue_rooms[queue] not in consumer_rooms


@given(q=st.integers(1, 20), c=st.integers(1, 10), inner=inners)
def test_one_room_gives_the_result_of_the_inner_strategy(q, c, inner):
    configured = MACHINE_ROOM_NEARBY.configured(inner=inner.allocate, resolver=ONE_ROOM)
    assert shares(configured, q, client_ids(c)) == shares(inner, q, client_ids(c))


def test_nearby_defaults_to_avg_in_one_room():
    assert shares(MACHINE_ROOM_NEARBY, 7, client_ids(3)) == shares(AVERAGELY, 7, client_ids(3))


@pytest.mark.parametrize("room", ["", None])
def test_queue_without_a_room_is_an_error(room):
    with pytest.raises(AllocationError) as caught:
        nearby(["A", room], "A")
    assert str(caught.value) == ("Machine room is null for mq MessageQueue [topic=T, brokerName=broker-a, queueId=1]")


@pytest.mark.parametrize("room", ["", None])
def test_consumer_without_a_room_is_an_error(room):
    with pytest.raises(AllocationError) as caught:
        nearby("A", ["A", room])
    assert str(caught.value) == "Machine room is null for consumer id c1"


def test_nulls_are_named_in_messages():
    nothing = MachineRoomResolver(lambda queue: "A" if queue else None, lambda cid: "A" if cid else None)
    allocate = MACHINE_ROOM_NEARBY.configured(inner=AVERAGELY.allocate, resolver=nothing).allocate
    with pytest.raises(AllocationError, match=r"^Machine room is null for mq null$"):
        allocate("c0", [None], ["c0", None])
    with pytest.raises(AllocationError, match=r"^Machine room is null for consumer id null$"):
        allocate("c0", one_broker(1), ["c0", None])


def test_inner_strategy_that_returns_null_is_a_fault():
    allocate = MACHINE_ROOM_NEARBY.configured(inner=by_config(None), resolver=ONE_ROOM).allocate
    with pytest.raises(Fault):
        allocate("c0", one_broker(1), ["c0"])


@given(queue_rooms=rooms, consumer_rooms=rooms)
def test_go_nearby_ignores_rooms(queue_rooms, consumer_rooms):
    found = nearby(queue_rooms, consumer_rooms, AVERAGELY_BY_CIRCLE, MACHINE_ROOM_NEARBY_GO)
    assert found == shares(AVERAGELY, len(queue_rooms), client_ids(len(consumer_rooms)))


def test_rust_takes_other_rooms_in_the_order_of_bytes():
    """Observed with rocketmq-model 1.0.0: U+FF21 is before a supplementary character; in Java it is after."""
    rooms = {"a": "Ａ", "b": "😀", "c0": "room1"}
    by_name = MachineRoomResolver(lambda queue: rooms[queue.broker_name], rooms.get)
    queues = (MessageQueue("T", "a", 0), MessageQueue("T", "b", 0))
    found = {}
    for profile in (JAVA_V5, RUST):
        strategy = profile.configured(
            profile.strategy("MACHINE_ROOM_NEARBY"), inner=AVERAGELY.allocate, resolver=by_name
        )
        found[profile.name] = profile.allocate(strategy, "c0", queues, ("c0",))
    assert found == {"java_v5": [queues[1], queues[0]], "rust": [queues[0], queues[1]]}
