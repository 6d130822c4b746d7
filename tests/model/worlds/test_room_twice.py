"""A room listed twice in consumeridcs: the Go client assigns its queues twice, the others do not."""

from itertools import product

import pytest

from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO, MACHINE_ROOM_RUST
from rebalance_proofs.model.worlds.kinds import KIND_GROUPS, ROOM_TWICE
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from tests.model.premises.shares import shares

PLAIN, OTHER_ROOM = 0, 1


@pytest.mark.parametrize(
    ("n", "kinds", "expected"),
    [
        pytest.param(3, (PLAIN,), [[0], [0], []], id="two consumers have the one queue"),
        pytest.param(2, (PLAIN, OTHER_ROOM), [[0], [1]], id="the block is of mqAll"),
        pytest.param(5, (PLAIN, PLAIN), [[0], [0], [1], [1], []], id="each queue twice"),
    ],
)
def test_room_twice_gives_the_results_by_hand(n, kinds, expected):
    assert shares(ROOM_TWICE, n, len(kinds), kinds, (MACHINE_ROOM_GO,)) == expected


def test_block_beyond_the_list_panics():
    group = ROOM_TWICE.group((MACHINE_ROOM_GO,), 2, 1, (PLAIN,))
    assert group.results() == [[*group.queues], []]
    with pytest.raises(ValueError, match="index out of range"):
        group.allocate()


def test_smallest_group_with_two_owners_has_three_consumers_and_one_queue():
    sizes = [
        (n, q)
        for n, q in product((1, 2, 3), (1, 2, 3))
        for values in ROOM_TWICE.all_values(n, q)
        if DISJOINT.violation(group := ROOM_TWICE.group((MACHINE_ROOM_GO,), n, q, values), group.results())
    ]
    assert min(sizes) == (3, 1)


def test_result_contains_a_queue_twice_only_with_four_queues():
    named_twice = set()
    for n, q in product(range(1, ROOM_TWICE.bound[0] + 1), range(1, ROOM_TWICE.bound[1] + 1)):
        for values in ROOM_TWICE.all_values(n, q):
            results = ROOM_TWICE.group((MACHINE_ROOM_GO,), n, q, values).results()
            named_twice |= {(n, q) for result in results if len(set(result)) < len(result)}
    assert named_twice == {(3, 4)}
    four = ROOM_TWICE.group((MACHINE_ROOM_GO,), 3, 4, (PLAIN,) * 4)
    assert [queue.queue_id for queue in four.results()[1]] == [2, 3, 3]


@pytest.mark.parametrize("strategy", [MACHINE_ROOM, MACHINE_ROOM_RUST], ids=lambda found: found.name)
def test_repeated_room_does_not_affect_other_clients(strategy):
    for n, q in product((1, 2, 3), (1, 2)):
        for kinds in ROOM_TWICE.all_values(n, q):
            twice = ROOM_TWICE.group((strategy,), n, q, kinds).allocate()
            assert twice == KIND_GROUPS.group((strategy,), n, q, kinds).allocate()


def test_notes_list_the_room_twice():
    (note,) = ROOM_TWICE.group((MACHINE_ROOM_GO,), 1, 1, (PLAIN,)).setting.notes
    assert note == "consumeridcs is {room1, room1}; queue 0 on room1@broker-a."
