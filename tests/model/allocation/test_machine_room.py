"""MACHINE_ROOM by hand, and what follows for any brokers."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.machine_room import (
    MACHINE_ROOM,
    MACHINE_ROOM_UNCHECKED,
    java_split,
    machine_room,
)
from rebalance_proofs.model.allocation.strategy import AllocationError, Fault
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import one_broker
from tests.model.allocation.rooms import BROKER_NAMES, ROOMS, queues_on, room_shares

IN, OUT = "room1@b", "room2@b"


@pytest.mark.parametrize(
    ("broker_name", "parts"),
    [
        ("broker-a", ["broker-a"]),
        ("room1@b", ["room1", "b"]),
        ("@b", ["", "b"]),
        ("room1@", ["room1"]),
        ("room1@b@", ["room1", "b"]),
        ("room1@b@@@", ["room1", "b"]),
        ("room1@@b", ["room1", "", "b"]),
        ("r@a@b", ["r", "a", "b"]),
        ("", [""]),
    ],
)
def test_broker_name_is_split_like_java(broker_name, parts):
    assert java_split(broker_name) == parts


@pytest.mark.parametrize(
    ("rooms", "broker_names", "c", "expected"),
    [
        pytest.param(["room1"], [IN] * 5, 2, [[0, 1, 4], [2, 3]], id="the remainder stands at the end"),
        pytest.param(["room1"], [IN] * 4, 2, [[0, 1], [2, 3]], id="no remainder"),
        pytest.param(["room1"], [IN] * 2, 3, [[0], [1], []], id="fewer queues than consumers"),
        pytest.param(["room1"], [OUT, IN, OUT, IN, IN], 2, [[1, 4], [3]], id="queues of other rooms are left out"),
        pytest.param(["room1", "room2"], [OUT, IN], 2, [[0], [1]], id="two rooms"),
        pytest.param(["room1"], [OUT, "room1"], 1, [[]], id="no queue of the room"),
        pytest.param([], [IN], 1, [[]], id="no room"),
        pytest.param([""], ["@b", "b"], 1, [[0]], id="the room that is called nothing"),
        pytest.param(["room1"], ["room1@", "room1@b@", "room1@a@b"], 1, [[1]], id="exactly two parts"),
    ],
)
def test_machine_room_blocks_equal_the_results_by_hand(rooms, broker_names, c, expected):
    assert room_shares(MACHINE_ROOM, rooms, broker_names, client_ids(c)) == expected


@pytest.mark.parametrize(("queues", "ids"), [((), ("c0",)), (one_broker(1), ()), ((), ())])
def test_empty_arguments_release_queues_up_to_4_9_2(queues, ids):
    assert MACHINE_ROOM_UNCHECKED.allocate("c0", queues, ids) == []
    with pytest.raises(AllocationError, match="is null or"):
        MACHINE_ROOM.allocate("c0", queues, ids)


@pytest.mark.parametrize(("queues", "ids"), [(None, ("c0",)), (one_broker(1), None)])
def test_null_arguments_are_faults_up_to_4_9_2(queues, ids):
    with pytest.raises(Fault, match="is null"):
        MACHINE_ROOM_UNCHECKED.allocate("c0", queues, ids)


def test_consumer_without_a_listed_id_takes_nothing_up_to_4_9_2():
    assert MACHINE_ROOM_UNCHECKED.allocate("c5", None, ("c0",)) == []


@given(st.lists(st.sampled_from([IN, OUT]), min_size=1, max_size=9), st.integers(1, 4))
def test_unchecked_blocks_equal_the_checked_ones(broker_names, c):
    checked, unchecked = (
        room_shares(one, ["room1"], broker_names, client_ids(c)) for one in (MACHINE_ROOM, MACHINE_ROOM_UNCHECKED)
    )
    assert checked == unchecked


def test_repeated_id_takes_the_share_of_its_first_index():
    assert room_shares(MACHINE_ROOM, ["room1"], [IN] * 4, ["c0", "c0", "c1"]) == [[0, 3], [0, 3], [2]]


def in_a_room(broker_name, rooms):
    """The rule as one pattern: a room, one @, a name, and any number of @ behind it."""
    found = re.fullmatch("([^@]*)@[^@]+@*", broker_name)
    return found is not None and found.group(1) in rooms


@given(rooms=ROOMS, broker_names=BROKER_NAMES, c=st.integers(1, 8))
def test_queues_of_the_rooms_are_divided_evenly(rooms, broker_names, c):
    found = room_shares(MACHINE_ROOM, rooms, broker_names, client_ids(c))
    kept = [place for place, broker_name in enumerate(broker_names) if in_a_room(broker_name, rooms)]
    assert sorted(position for share in found for position in share) == kept
    sizes = [len(share) for share in found]
    assert max(sizes) - min(sizes) <= 1
    assert sizes == sorted(sizes, reverse=True)


def test_null_rooms_are_a_fault_only_for_a_broker_in_a_room():
    assert machine_room(None)("c0", one_broker(2), ["c0"]) == []
    with pytest.raises(Fault):
        machine_room(None)("c0", queues_on(["b", IN]), ["c0"])


@pytest.mark.parametrize("mq_all", [[None], queues_on([None])], ids=["queue", "brokerName"])
def test_nulls_are_a_fault(mq_all):
    with pytest.raises(Fault):
        machine_room(["room1"])("c0", mq_all, ["c0"])
