"""Queues and consumers in rooms, by hand and against a direct implementation of the rule."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY, MACHINE_ROOM_NEARBY_GO
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import one_broker
from rebalance_proofs.model.worlds.rooms import ROOMS_COMPARED, ROOMS_MIXED, ROOMS_OF_AVG, ROOMS_OF_HASH, Rooms
from rebalance_proofs.proofs.allocation.nearby import NEARBY_HASH
from tests.model.premises.shares import shares
from tests.model.premises.symbolic import Symbolic, takers

A, B, C = range(3)
BOTH = (MACHINE_ROOM_NEARBY, MACHINE_ROOM_NEARBY_GO)
symbolic = cache(Symbolic)
names = st.text("ABCDEFG", min_size=1, max_size=9)


def reading(inner, of_queues, of_consumers):
    """Room by room: its queues are divided by its consumers, or by all where it has none."""
    queues, ids = one_broker(len(of_queues)), client_ids(len(of_consumers))
    taken = {client_id: set() for client_id in ids}
    for room in set(of_queues):
        inside = [queue for queue, name in zip(queues, of_queues, strict=True) if name == room]
        people = [client_id for client_id, name in zip(ids, of_consumers, strict=True) if name == room] or ids
        for client_id in people:
            taken[client_id] |= {queue.queue_id for queue in inner.allocate(client_id, inside, people)}
    return [taken[client_id] for client_id in ids]


@pytest.mark.parametrize("inner", [AVERAGELY, CONSISTENT_HASH], ids=lambda inner: inner.name)
@given(of_queues=names, of_consumers=names)
def test_code_divides_room_by_room(inner, of_queues, of_consumers):
    resolver = Rooms(of_queues, of_consumers).resolver
    allocate = MACHINE_ROOM_NEARBY.configured(inner=inner.allocate, resolver=resolver).allocate
    queues, ids = one_broker(len(of_queues)), client_ids(len(of_consumers))
    found = [{queue.queue_id for queue in allocate(client_id, queues, ids)} for client_id in ids]
    assert found == reading(inner, of_queues, of_consumers)


@pytest.mark.parametrize(
    ("world", "strategy", "inner"),
    [(ROOMS_OF_AVG, MACHINE_ROOM_NEARBY, AVERAGELY), (ROOMS_OF_HASH, NEARBY_HASH, CONSISTENT_HASH)],
    ids=["avg", "hash"],
)
@settings(max_examples=30)
@given(data=st.data())
def test_formula_and_code_agree_with_the_rule_up_to_the_bound(world, strategy, inner, data):
    n, q = data.draw(st.sampled_from([(5, 6), (3, 4), (5, 1), (1, 6)]))
    values = data.draw(st.tuples(*[st.integers(0, 2)] * (q + n)))
    rooms = world.group((strategy,), n, q, values).setting
    expected = reading(inner, rooms.of_queues, rooms.of_consumers)
    rows = [[int(queue in share) for share in expected] for queue in range(q)]
    assert takers(world, (strategy,), n, q, values) == rows
    assignments = [world.assignment(n, q, values, queue) for queue in range(q)]
    assert symbolic(world, (strategy,), n, q)(assignments) == [[1, q, *row] for row in rows]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param((A, A, B, B, A, B), [[0, 1], [2, 3]], id="everybody at home"),
        pytest.param((A, A, C, C, A, B), [[0, 1, 2], [3]], id="a room without consumers is everybody's"),
        pytest.param((A, A, A, A, B, A), [[], [0, 1, 2, 3]], id="a consumer without queues"),
    ],
)
def test_digits_are_rooms_of_queues_then_of_consumers(values, expected):
    assert shares(ROOMS_OF_AVG, 2, 4, values, (MACHINE_ROOM_NEARBY,)) == expected


def test_notes_are_listed_by_room():
    group = ROOMS_OF_AVG.group((MACHINE_ROOM_NEARBY,), 2, 3, (A, C, A, B, A))
    assert group.setting.notes == ("Room A: c1, queue 0, queue 2.", "Room B: c0.", "Room C: queue 1.")


def test_reference_ignores_rooms():
    group = ROOMS_COMPARED.group(BOTH, 2, 2, (A, A, B, A))
    found = [[[queue.queue_id for queue in result] for result in each.allocate()] for each in (group, group.reference)]
    assert found == [[[], [0, 1]], [[0], [1]]]


@pytest.mark.parametrize(
    ("choices", "expected"), [((0, 0), [[], [0, 1]]), ((0, 1), [[], [1]]), ((1, 0), [[0], [0, 1]])]
)
def test_last_digits_select_the_consumers_client(choices, expected):
    assert shares(ROOMS_MIXED, 2, 2, (A, A, B, A, *choices), BOTH) == expected
