"""Cases of one queue: closed forms, and numbers that name them."""

import numpy as np
import pytest

from model.transition.client import PUSH
from model.transition.clients import CLIENTS, NODE, V4_9
from model.transition.variables import ENTRY
from spark_enum.transition.space import NAMES, VARIABLES, Space, departures, every_case, of_mode, real_cases
from tests.spark_enum.transition.every import each_use

JAVA_MODES, STATES, ANSWERS = 24, 96, 2 * 5 * 4 * 4 * 3
"""Kinds, orders, listeners and message models; entries; what one round brings to a queue with a store of the user's."""
SHIPPED = 2 * 5 * 4 * 3 * 3 * 2
"""The same, and what is remembered, with the store that the client ships: no query throws the unexpected."""


def every(space: Space) -> np.ndarray:
    """All cases, a row each."""
    parts = [np.stack([columns[name] for name in NAMES], axis=1) for _, columns in space.parts(0, space.size)]
    return np.concatenate(parts)


def test_the_closed_forms_of_the_java_clients():
    for client in CLIENTS[:3]:
        ways = len(client.modes) // 2
        pushing = sum(not mode.kind and not mode.own_store for mode in client.modes)
        sizes = [2 * (1 + STATES) * brought for brought in (SHIPPED, ANSWERS) for _ in range(ways)]
        assert [of_mode(client, mode).size for mode in client.modes] == sizes
        assert real_cases(client).size == ways * 2 * (SHIPPED + ANSWERS) * (8 + STATES // 4)
        present = 2 * STATES * (ANSWERS * JAVA_MODES + SHIPPED * ways)
        absent = 2 * 8 * (ANSWERS * JAVA_MODES + SHIPPED * ways)
        overdue = 3 * 2 * 7 * (ANSWERS // 2 * (JAVA_MODES // 3) + SHIPPED // 2 * pushing)
        assert every_case(client).size == present + absent + overdue
    assert every_case(V4_9).size == 3_735_360


def test_the_closed_forms_of_the_node_client():
    # marked, overdue, in memory, of the topic; answers without those about locks, and persisting fails or does not
    answers = ANSWERS // 5 // 3 * 2
    assert [of_mode(NODE, mode).size for mode in NODE.modes] == [2 * 2 * (1 + 4) * answers] * 2
    assert real_cases(NODE).size == 2 * 2 * 2 * (8 + 2) * answers
    assert every_case(NODE).size == 77_312


@pytest.mark.parametrize("client", [V4_9, NODE], ids=lambda client: client.name)
def test_no_case_is_named_twice(client):
    for space in (every_case(client), real_cases(client)) if client is NODE else (real_cases(client),):
        found = every(space)
        digits = [np.searchsorted(np.sort(v.values), found[:, place]) for place, v in enumerate(VARIABLES)]
        named = np.ravel_multi_index(digits, [len(variable.values) for variable in VARIABLES])
        assert len(np.unique(named)) == len(found) == space.size


@each_use
def test_the_cases_of_a_mode_are_of_that_mode(client, mode):
    space = of_mode(client, mode)
    for _, columns in space.parts(0, space.size):
        for variable in VARIABLES:
            assert set(columns[variable.name].tolist()) <= set(variable.values)
        assert (columns["kind"] == mode.kind).all()
        assert (columns["order"] == mode.order).all()
        absent = columns["present"] == 0
        for variable in ENTRY:
            assert (columns[variable.name][absent] == variable.benign).all()
        for name in client.ignores:
            assert len(set(columns[name].tolist())) == 1


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_a_part_of_a_space_is_the_same_however_it_is_cut(step):
    space = of_mode(NODE, PUSH)
    found = [part for begin in range(0, space.size, step) for part in space.parts(begin, min(begin + step, space.size))]
    codes = np.concatenate([codes for codes, _ in found])
    assert (codes == np.arange(space.size)).all()
    rows = np.concatenate([np.stack([columns[name] for name in NAMES], axis=1) for _, columns in found])
    assert (rows == every(space)).all()
    assert space.cases([5, 0]) == [dict(zip(NAMES, rows[place].tolist(), strict=True)) for place in (5, 0)]


def test_departures_are_counted_as_in_a_case():
    space = of_mode(NODE, PUSH)
    (benign,) = (case for case in space.cases(range(space.size)) if all(case[v.name] == v.benign for v in VARIABLES))
    columns = {name: np.array([benign[name], benign[name]]) for name in NAMES}
    columns["mine"][1] = columns["in_set"][1] = 0
    assert departures(columns).tolist() == [0, 2]
