"""Cases of one queue: closed forms, and the numbers of cases."""

import numpy as np
import pytest

from rebalance_proofs.model.transition.client import PUSH
from rebalance_proofs.model.transition.clients import CLIENTS, NODE, V4_9
from rebalance_proofs.model.transition.variables import ENTRY
from rebalance_proofs.spark_enum.transition.space import (
    LIMITED,
    NAMES,
    VARIABLES,
    Space,
    departures,
    every_case,
    of_mode,
    real_cases,
)
from tests.spark_enum.transition.every import each_client, each_use

JAVA_MODES, STATES, ANSWERS = 24, 96, 2 * 5 * 4 * 4 * 3
"""Kinds, orders, listeners and message models; entries; what one round brings to a queue with a store of the user's."""
SHIPPED = 2 * 5 * 4 * 3 * 3 * 2
"""The same, and what is remembered, with the store that the client ships: no query throws the unexpected."""

PULL_AT_LIMIT, LOCK_AT_LIMIT = 2 * 3 * 2 * 3, 2 * 2 * 3 * 2 * 2 * 5 * 3
"""An age that is exactly at its limit: the other age, the listener's lock, messages and how persisting ends; of the
lock's, also whether the entry is marked and the queue stays, and what the broker says."""


def every(space: Space) -> np.ndarray:
    """All cases, a row each."""
    parts = [np.stack([columns[name] for name in NAMES], axis=1) for _, columns in space.parts(0, space.size)]
    return np.concatenate(parts)


def test_closed_forms_of_the_java_clients():
    for client in CLIENTS[:3]:
        ways = len(client.modes) // 2
        pushing = sum(not mode.kind and not mode.own_store for mode in client.modes)
        sizes = [2 * (1 + STATES) * brought for brought in (SHIPPED, ANSWERS) for _ in range(ways)]
        assert [of_mode(client, mode).size for mode in client.modes] == sizes
        limits = [memory * (PULL_AT_LIMIT + LOCK_AT_LIMIT) for memory in (2, 1)]
        assert real_cases(client).size == ways * (2 * (SHIPPED + ANSWERS) * (8 + STATES // 4) + sum(limits))
        present = 2 * STATES * (ANSWERS * JAVA_MODES + SHIPPED * ways)
        absent = 2 * 8 * (ANSWERS * JAVA_MODES + SHIPPED * ways)
        overdue = 3 * 2 * 7 * (ANSWERS // 2 * (JAVA_MODES // 3) + SHIPPED // 2 * pushing)
        at_limits = ways * limits[0] + JAVA_MODES * limits[1]
        assert every_case(client).size == present + absent + overdue + at_limits
    assert every_case(V4_9).size == 3_765_600


def test_closed_forms_of_the_node_client():
    # marked, overdue, in memory, of the topic; answers without those about locks, and persisting fails or does not
    answers = ANSWERS // 5 // 3 * 2
    assert [of_mode(NODE, mode).size for mode in NODE.modes] == [2 * 2 * (1 + 4) * answers] * 2
    at_limit = 2 * 2  # in memory, and persisting fails or does not
    assert real_cases(NODE).size == 2 * (2 * 2 * (8 + 2) * answers + at_limit)
    assert every_case(NODE).size == 77_312 + 24 * at_limit


@pytest.mark.parametrize("client", [V4_9, NODE], ids=lambda client: client.name)
def test_no_case_is_listed_twice(client):
    for space in (every_case(client), real_cases(client)) if client is NODE else (real_cases(client),):
        found = every(space)
        values = [sorted({*v.values, *([] if v.limit is None else [v.limit])}) for v in VARIABLES]
        digits = [np.searchsorted(values[place], found[:, place]) for place in range(len(VARIABLES))]
        named = np.ravel_multi_index(digits, [len(each) for each in values])
        assert len(np.unique(named)) == len(found) == space.size


@each_use
def test_cases_of_a_mode_are_of_that_mode(client, mode):
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
def test_part_of_a_space_does_not_depend_on_how_it_is_split(step):
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


@each_client
def test_every_age_has_its_limit_and_one_more(client):
    for space in (every_case(client), real_cases(client)):
        for variable in LIMITED:
            parts = [columns[variable.name] for _, columns in space.parts(0, space.size)]
            ages = set(np.unique(np.concatenate(parts)).tolist())
            looked_at = variable.name not in client.ignores
            assert ages == ({0, variable.limit, variable.limit + 1} if looked_at else {0})
