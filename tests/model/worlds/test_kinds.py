"""Broker names of every kind, by hand."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.machine_room import KINDS, MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO, MACHINE_ROOM_RUST
from rebalance_proofs.model.worlds.kinds import FEWER_KIND_GROUPS, KIND_GROUPS, KINDS_COMPARED, KINDS_MIXED
from tests.model.premises.shares import shares
from tests.model.premises.symbolic import Symbolic, takers

PLAIN, OTHER_ROOM, NO_ROOM, NO_BROKER, TRAILING, THREE_PARTS, EMPTY_ROOM = range(7)
CLIENTS = (MACHINE_ROOM, MACHINE_ROOM_GO, MACHINE_ROOM_RUST)
symbolic = cache(Symbolic)


def test_digit_selects_the_broker_name():
    group = KIND_GROUPS.group((MACHINE_ROOM,), 2, 7, tuple(range(7)))
    assert tuple(queue.broker_name for queue in group.queues) == KINDS
    assert [queue.queue_id for queue in group.queues] == [*range(7)]
    assert {consumer.mq_all for consumer in group.consumers} == {group.queues}


@pytest.mark.parametrize(
    ("strategy", "kinds"),
    [(MACHINE_ROOM, {PLAIN, TRAILING}), (MACHINE_ROOM_GO, {PLAIN, NO_BROKER}), (MACHINE_ROOM_RUST, {PLAIN})],
    ids=["java", "go", "rust"],
)
def test_listed_queues_are_those_that_the_client_selects(strategy, kinds):
    setting = KIND_GROUPS.group((strategy,), 1, 7, tuple(range(7))).setting
    assert {kind for kind, listed in enumerate(setting.listed) if listed} == kinds


@pytest.mark.parametrize("world", [KINDS_COMPARED, KINDS_MIXED], ids=lambda world: world.name)
def test_listed_queues_of_two_clients_are_those_of_both(world):
    values = next(values for values in world.all_values(2, 4) if values[:4] == (PLAIN, NO_BROKER, TRAILING, NO_ROOM))
    assert world.group(CLIENTS[:2], 2, 4, values).setting.listed == (True, False, False, False)


def test_notes_list_the_brokers():
    (note,) = KIND_GROUPS.group((MACHINE_ROOM,), 1, 2, (OTHER_ROOM, PLAIN)).setting.notes
    assert note == "consumeridcs is {room1}; queue 0 on room2@broker-b, queue 1 on room1@broker-a."


@pytest.mark.parametrize(
    ("strategy", "kinds", "expected"),
    [
        pytest.param(MACHINE_ROOM, (OTHER_ROOM, PLAIN, PLAIN), [[1], [2]], id="java leaves the other room out"),
        pytest.param(MACHINE_ROOM_GO, (OTHER_ROOM, PLAIN, PLAIN), [[0], [1]], id="go does not"),
        pytest.param(MACHINE_ROOM_RUST, (TRAILING, PLAIN, PLAIN), [[1], [2]], id="rust leaves a trailing @ out"),
    ],
)
def test_selected_queues_are_divided(strategy, kinds, expected):
    assert shares(KIND_GROUPS, 2, 3, kinds, (strategy,)) == expected


def test_reference_runs_the_other_client():
    group = KINDS_COMPARED.group((MACHINE_ROOM, MACHINE_ROOM_GO), 1, 1, (NO_BROKER,))
    assert (group.allocate(), group.reference.allocate()) == ([[]], [[*group.queues]])


@pytest.mark.parametrize(
    ("choices", "expected"), [((0, 0), [[1], []]), ((1, 1), [[0], [1]]), ((0, 1), [[1], [1]]), ((1, 0), [[0], []])]
)
def test_last_digits_select_each_consumers_client(choices, expected):
    kinds = (NO_BROKER, PLAIN)
    assert shares(KINDS_MIXED, 2, 2, (*kinds, *choices), (MACHINE_ROOM, MACHINE_ROOM_GO)) == expected


@pytest.mark.parametrize("strategy", CLIENTS, ids=lambda strategy: strategy.name)
@given(kinds=st.lists(st.integers(0, 6), min_size=1, max_size=6), n=st.integers(1, 5))
def test_formula_and_code_agree_up_to_the_bound(strategy, kinds, n):
    world = KIND_GROUPS if strategy is MACHINE_ROOM else FEWER_KIND_GROUPS
    q, n = min(len(kinds), world.bound[1]), min(n, world.bound[0])
    values = tuple(kinds[:q])
    said = symbolic(world, (strategy,), n, q)([world.assignment(n, q, values, queue) for queue in range(q)])
    assert said == [[1, q, *row] for row in takers(world, (strategy,), n, q, values)]
