"""MACHINE_ROOM of the Rust client, where it differs from Java's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_RUST, rust_split
from rebalance_proofs.model.group import client_ids
from tests.model.allocation.rooms import BROKER_NAMES, ROOMS, room_shares


@pytest.mark.parametrize(
    ("broker_name", "room"),
    [
        ("broker-a", None),
        ("room1@b", "room1"),
        ("@b", ""),
        ("room1@", None),
        ("room1@b@", None),
        ("room1@@b", None),
        ("r@a@b", None),
    ],
)
def test_rust_room_needs_one_at_sign_and_a_name_after_it(broker_name, room):
    parts = rust_split(broker_name)
    assert (parts[0] if len(parts) == 2 else None) == room


@given(rooms=ROOMS, broker_names=BROKER_NAMES, c=st.integers(1, 8))
def test_rust_differs_from_java_only_for_names_that_end_in_at_signs(rooms, broker_names, c):
    trimmed = [broker_name.rstrip("@") for broker_name in broker_names]
    of_java = room_shares(MACHINE_ROOM, rooms, trimmed, client_ids(c))
    assert room_shares(MACHINE_ROOM_RUST, rooms, trimmed, client_ids(c)) == of_java


def test_rust_and_java_differ_in_a_small_example():
    assert room_shares(MACHINE_ROOM, ["room1"], ["room1@b@", "room1@b"], ["c0"]) == [[0, 1]]
    assert room_shares(MACHINE_ROOM_RUST, ["room1"], ["room1@b@", "room1@b"], ["c0"]) == [[1]]
