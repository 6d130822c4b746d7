"""NEARBY over CONFIG: each queue in one configured list, by hand and against a direct implementation."""

from itertools import product

import pytest

from rebalance_proofs.model.worlds.rooms import CONFIGURED_ROOMS
from rebalance_proofs.proofs.allocation.nearby import HOME, NEARBY_CONFIG
from tests.model.premises.shares import shares

A, B, C = range(3)
ONLY = (NEARBY_CONFIG,)


@pytest.mark.parametrize(
    ("q", "values", "expected"),
    [
        pytest.param(2, (A, B, A, B, 0, 1), [[0], [1]], id="everything at home"),
        pytest.param(2, (A, B, A, B, 1, 0), [[1], [0]], id="each asked about its own room, and configured otherwise"),
        pytest.param(1, (A, A, B, 1), [[], []], id="who is configured with it is not asked"),
        pytest.param(2, (A, C, A, B, 0, 1), [[0, 0], [1]], id="asked twice, c0 answers twice"),
    ],
)
def test_configured_rooms_give_the_results_by_hand(q, values, expected):
    assert shares(CONFIGURED_ROOMS, 2, q, values, ONLY) == expected


def test_smallest_group_with_a_queue_outside_its_room_has_two_queues():
    """The consumer must be asked about another room than that of the queue."""
    found = [
        (n, q)
        for n, q in product((1, 2), (1, 2))
        for values in CONFIGURED_ROOMS.all_values(n, q)
        if HOME.violation(group := CONFIGURED_ROOMS.group(ONLY, n, q, values), group.allocate())
    ]
    assert min(found) == (2, 2)


def test_no_queue_is_taken_by_two_consumers():
    for values in CONFIGURED_ROOMS.all_values(3, 2):
        results = CONFIGURED_ROOMS.group(ONLY, 3, 2, values).allocate()
        assert sum(len(set(result)) for result in results) == len(set().union(*results))


def test_notes_list_rooms_and_configured_queues():
    group = CONFIGURED_ROOMS.group(ONLY, 2, 2, (A, B, A, B, 1, 1))
    assert group.setting.notes == (
        "Room A: c0, queue 0.",
        "Room B: c1, queue 1.",
        "c0 is configured with an empty list.",
        "c1 is configured with queue 0, queue 1.",
    )
