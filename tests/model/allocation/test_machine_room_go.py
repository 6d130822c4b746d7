"""MACHINE_ROOM of the Go client, where it differs from Java's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO, machine_room_go
from rebalance_proofs.model.allocation.strategy import Fault
from rebalance_proofs.model.group import client_ids
from tests.model.allocation.rooms import BROKER_NAMES, ROOMS, queues_on, room_shares

IN, OUT = "room1@b", "room2@b"


@pytest.mark.parametrize(
    ("rooms", "broker_names", "c", "expected"),
    [
        pytest.param(["room1"], [IN] * 5, 2, [[0, 1, 4], [2, 3]], id="only queues of the room"),
        pytest.param(["room1"], [OUT, IN], 1, [[0]], id="the block is of mqAll (rocketmq#2477)"),
        pytest.param(["room1"], [OUT, IN, IN, IN], 2, [[0, 3], [1]], id="the remainder is of the room"),
        pytest.param(["room1"], ["room1@"], 1, [[0]], id="an empty name"),
        pytest.param(["room1"], ["room1@b@"], 1, [[]], id="three parts"),
        pytest.param(["room1", "room1"], [IN, OUT], 2, [[0], [1]], id="a room that is named twice counts twice"),
    ],
)
def test_go_machine_room_blocks_equal_the_results_by_hand(rooms, broker_names, c, expected):
    assert room_shares(MACHINE_ROOM_GO, rooms, broker_names, client_ids(c)) == expected


@given(rooms=ROOMS, broker_names=BROKER_NAMES, c=st.integers(1, 8))
def test_go_divides_as_many_queues_as_are_in_the_rooms(rooms, broker_names, c):
    found = room_shares(MACHINE_ROOM_GO, rooms, broker_names, client_ids(c))
    parts = [broker_name.split("@") for broker_name in broker_names]
    kept = sum(len(found) == 2 and found[0] in rooms for found in parts)
    assert sum(map(len, found)) == kept


@given(count=st.integers(1, 20), c=st.integers(1, 8))
def test_go_equals_java_if_every_queue_is_in_a_room(count, c):
    of_java = room_shares(MACHINE_ROOM, ["room1"], [IN] * count, client_ids(c))
    assert room_shares(MACHINE_ROOM_GO, ["room1"], [IN] * count, client_ids(c)) == of_java


def test_go_null_broker_name_is_the_empty_string():
    nameless = queues_on([None, IN])
    assert machine_room_go(["room1"])("c0", nameless, ["c0"]) == nameless[:1]
    assert machine_room_go(None)("c0", queues_on([IN]), ["c0"]) == []


def test_go_machine_room_null_queue_panics():
    with pytest.raises(Fault, match=r"^runtime error: invalid memory address or nil pointer dereference$"):
        machine_room_go(["room1"])("c0", [None], ["c0"])


def test_go_repeated_room_can_exceed_the_list():
    with pytest.raises(Fault, match=r"^runtime error: index out of range \[1\] with length 1$"):
        machine_room_go(["room1", "room1"])("c0", queues_on([IN]), ["c0"])
