"""The explorer's engine on ``lock-lite``, whose numbers of states are known."""

from dataclasses import replace
from functools import cache

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.spark_enum.explorer.in_memory import SortedInMemory
from rebalance_proofs.spark_enum.explorer.levels import levels
from rebalance_proofs.spark_enum.explorer.models.lock_lite import lock_lite
from rebalance_proofs.spark_enum.explorer.product import Product
from tests.spark_enum.explorer.lock_lite import Group, reachable, what_follows

COUNTS = {(2, 2, 1): 1_699, (2, 3, 2): 51_624, (3, 3, 1): 553_971, (3, 3, 2): 2_550_096, (3, 4, 1): 4_923_237}
"""By consumers, queues and messages."""


@cache
def product(*size):
    return Product(lock_lite(AVERAGELY, *size))


def explored(size, parts=8):
    made = product(*size)
    store = SortedInMemory(made.numbering.order(parts))
    return made, store, list(levels(made, store))


@pytest.mark.parametrize("size", [size for size in COUNTS if COUNTS[size] < 100_000])
def test_state_counts_equal_the_published_ones(size):
    assert sum(level.states for level in explored(size)[2]) == COUNTS[size]


@pytest.mark.slow
@pytest.mark.parametrize("size", [size for size in COUNTS if COUNTS[size] > 100_000])
def test_state_counts_of_large_groups_equal_the_published_ones(size):
    assert sum(level.states for level in explored(size, 32)[2]) == COUNTS[size]


@pytest.mark.parametrize("size", [(1, 1, 1), (2, 2, 1), (2, 1, 2), (3, 1, 1)])
def test_states_and_edges_equal_those_of_plain_code(size):
    made, store, found = explored(size)
    states, moves = reachable(*size)
    assert {group_of(made, state) for state in all_states(store, found)} == states
    assert sum(int(level.counts.sum()) for level in found[1:]) == moves


def test_successors_of_each_state_equal_those_of_plain_code():
    made, store, found = explored((2, 2, 1))
    for state in all_states(store, found):
        by_tables = [(str(move), group_of(made, after)) for move, after in made.following(state)]
        assert sorted(by_tables, key=repr) == sorted(what_follows(group_of(made, state), 1), key=repr)


def test_no_queue_has_two_holders():
    """Plain code for each group agrees."""
    assert not any("two-holders" in level.wrong for level in explored((2, 2, 1))[2])
    assert not any(has_two_holders(group) for group in reachable(2, 2, 1)[0])


def test_lock_that_expires_under_its_holder_gives_two_holders():
    model = lock_lite(AVERAGELY, 2, 1)

    def after(members, move):
        gone = replace(members, lives=(False, False)) if move.name == "expires" else members
        changed = model.after(gone, move)
        return replace(changed, members=members) if changed and move.name == "expires" else changed

    made = Product(replace(model, after=after))
    store = SortedInMemory(made.numbering.order(8))
    found = list(levels(made, store))
    wrong = [group_of(made, state) for state in all_states(store, found) if has_two_holders(group_of(made, state))]
    assert sum(level.often.get("two-holders", 0) for level in found) == len(wrong) > 0
    assert next(level.number for level in found if level.wrong) == len(
        ("joins c1", "rebalances c1", "expires c1 q0", "joins c0", "rebalances c0")
    )


def has_two_holders(group):
    return any(sum(held) > 1 for held in zip(*group.held, strict=True))


def test_counts_and_digests_do_not_depend_on_parts():
    told = [
        [(level.number, level.states, level.digest) for level in explored((2, 3, 2), parts)[2]] for parts in (1, 2, 32)
    ]
    assert told[0] == told[1] == told[2]


def all_states(store, found):
    for level in found[:-1]:
        for part in store.expanding(level.number):
            yield from store.order.states(store.level(level.number, part)).tolist()


def group_of(made, state):
    """The state as the plain code has it."""
    members, rows = made.group(state)
    consumers = range(len(members.lives))
    return Group(
        members.lives,
        members.view,
        members.told,
        tuple(tuple(bool(row[f"held{c}"]) for row in rows) for c in consumers),
        tuple(tuple(row[f"position{c}"] for row in rows) for c in consumers),
        tuple(row["lock"] - 1 if row["lock"] else None for row in rows),
        tuple(row["committed"] for row in rows),
    )
