"""Deadlocks: exactly these are found and counted."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from rebalance_proofs.spark_enum.explorer.exploration import LEAST, explored
from rebalance_proofs.spark_enum.explorer.explore import explore
from rebalance_proofs.spark_enum.explorer.in_memory import SortedInMemory
from rebalance_proofs.spark_enum.explorer.levels import levels
from rebalance_proofs.spark_enum.explorer.model import DEADLOCK, Changed, Move
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.standard import SUBJECTS
from rebalance_proofs.spark_enum.explorer.store import all_states
from tests.spark_enum.explorer.stuck import STUCK

NAME = DEADLOCK.name
GROUPS = {"concurrent": {"queues": 1}, "ordered": {"queues": 1}, "lock-lite": {"queues": 2}}


def states_of(product):
    store = SortedInMemory(product.numbering.order(4))
    return all_states(store, sum(level.states > 0 for level in levels(product, store)))


def one_by_one(product, states):
    """As the model says it of each."""
    return [state for state in states.tolist() if not any(product.following(state))]


def found(product, states):
    return np.sort(product.wrong(states).get(NAME, states[:0])).tolist()


def model_of(name):
    subject = SUBJECTS[name]
    return subject.build(subject.settings(**GROUPS[name]))


@pytest.mark.parametrize("name", SUBJECTS)
def test_shipped_models_have_no_deadlock(name):
    product = Product(model_of(name))
    states = states_of(product)
    assert found(product, states) == one_by_one(product, states) == []


@pytest.mark.parametrize("name", SUBJECTS)
def test_deadlocks_of_a_reduced_model_are_those_of_the_model(name):
    model, chosen, stuck = model_of(name), np.random.default_rng(7), 0
    for _ in range(12):
        kinds = {move.name for move in model.moves if move.name != "joins" and chosen.random() < 0.5}
        product = Product(replace(model, moves=[move for move in model.moves if move.name not in kinds]))
        states = np.sort(states_of(product))
        some = states[:: max(1, len(states) // 600)]
        assert found(product, some) == one_by_one(product, some)
        stuck += len(found(product, states))
    assert stuck


def test_action_that_changes_nothing_is_an_action():
    """Each queue moves to one of two ends; at the second one the first queue has an action that changes nothing."""

    def after(members, move):
        return Changed(members, tuple(move.name if queue == move.queue else None for queue in range(2)))

    def goes(end, rows):
        return rows[:, 0] == 0, rows + np.int8(end)

    ends = [Move(name, None, queue) for name in ("left", "right") for queue in (0, 1)]

    product = Product(
        replace(
            model_of("lock-lite"),
            columns=("number",),
            begin=np.zeros((1, 1), dtype=np.int8),
            acts={"left": partial(goes, 1), "right": partial(goes, 2), "spins": lambda rows: (rows[:, 0] == 2, rows)},
            members=False,
            moves=(*ends, Move("spins", None, 0)),
            after=after,
            flags={},
            watches=(DEADLOCK,),
        )
    )
    states = states_of(product)
    assert len(states) == 3 * 3
    stuck = found(product, states)
    assert stuck == sorted(one_by_one(product, states))
    assert [[queue["number"] for queue in product.group(state)[1]] for state in stuck] == [[1, 1], [1, 2]]


def stuck_group(folder=None, most=None, **told):
    settings = STUCK.settings(**told)
    product = Product(STUCK.build(settings))
    with explored(product, {}, LEAST, folder) as exploration:
        return explore(STUCK, settings, exploration, most)


def test_deadlocks_are_counted_and_the_shortest_path_is_found():
    group = stuck_group()
    states = states_of(group.product)
    many = sum(all(group.product.group(state)[0].lives) for state in states.tolist())
    assert group.stuck == many > 100
    (one,) = group.found
    assert (one.watch, one.states) == (DEADLOCK, many)
    assert [str(step.move) for step in one.steps] == ["None", "joins c0", "joins c1"]
    assert [watch.name for watch in group.never] == ["two-holders"]


def test_deadlocks_are_counted_in_a_folder_and_after_a_resume(tmp_path):
    whole = stuck_group()
    assert stuck_group(tmp_path, 4).stuck == stuck_group(most=4).stuck < whole.stuck
    assert stuck_group(tmp_path).stuck == whole.stuck
    assert stuck_group(tmp_path).found == whole.found


def test_deadlocks_of_the_last_requested_level_are_counted():
    assert stuck_group(most=3).stuck == 1
    assert stuck_group(most=2).stuck == 0


def test_unwatched_deadlocks_are_not_reported():
    group = stuck_group()
    assert replace(group, found=(), never=()).stuck is None
