"""The variables of a round: values, ranges, names, and the numbers that stand for words."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.client import environment
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.transition import numbers
from rebalance_proofs.model.transition.numbers import (
    FAILED,
    KINDS,
    LOCKS,
    NO_OFFSET,
    PERSISTS,
    THROWN,
    WHERES,
    queried,
    stored,
)
from rebalance_proofs.model.transition.variables import (
    CONSUMER,
    ENTRY,
    MODE,
    QUEUE,
    ROUND,
    Case,
    name_of,
    possible,
    values_of,
)
from tests.model.transition.random_cases import names, sampled

ALL = (*MODE, *CONSUMER, *QUEUE, *ROUND)

each_variable = pytest.mark.parametrize("variable", ALL, ids=lambda variable: variable.name)


def within(variable, number: int) -> bool:
    """Whether the terms allow the number."""
    return smt.is_true(simplify(smt.And(variable.in_range(smt.IntVal(number)))))


def test_unknowns_have_distinct_names():
    assert len({variable.name for variable in ALL}) == len(ALL)
    for queues, rounds in ((1, 1), (1, 2), (3, 2)):
        found = names(queues, rounds)
        assert len(set(found)) == len(found)


@each_variable
def test_values_are_in_range_and_start_with_the_benign_one(variable):
    assert variable.benign == variable.values[0]
    assert len(set(variable.values)) == len(variable.values) > 1
    assert all(within(variable, number) for number in variable.values)
    assert variable.meaning == variable.meaning.rstrip(".")


@each_variable
@given(st.integers(-20, 20))
def test_range_has_its_bounds(variable, number):
    low = variable.lowest is None or number >= variable.lowest
    high = variable.highest is None or number <= variable.highest
    assert within(variable, number) is ((low and high) or number == variable.besides)


def test_entry_is_described_by_its_unknowns():
    names = [variable.name for variable in ENTRY]
    assert names == ["dropped", "locked", "pull_age", "lock_age", "consume_lock", "cached"]


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ((0,), "present"),
        ((2,), "present_3"),
        ((0, 0), "present"),
        ((1, 0), "present_2"),
        ((0, 1), "present_again"),
        ((1, 1), "present_2_again"),
    ],
)
def test_unknown_names_contain_queue_and_round(place, name):
    assert name_of("present", *place) == name


def test_values_are_accessed_by_plain_names():
    v = SimpleNamespace(**{name: name for name in names(2, 2)})
    found = values_of(v, ROUND, 1, 1)
    assert vars(found) == {variable.name: f"{variable.name}_2_again" for variable in ROUND}


def test_possible_is_the_conjunction_of_the_ranges():
    terms = SimpleNamespace(**{variable.name: smt.IntVal(variable.benign) for variable in ROUND})
    assert all(smt.is_true(simplify(formula)) for formula in possible(ROUND, terms))
    terms.lock = smt.IntVal(len(LOCKS))
    assert smt.is_false(simplify(smt.And(possible(ROUND, terms))))


def benign(queues: int, rounds: int) -> Case:
    """Nothing happens."""
    return Case(
        {variable.name: variable.benign for variable in CONSUMER},
        ({variable.name: variable.benign for variable in QUEUE},) * queues,
        (({variable.name: variable.benign for variable in ROUND},) * queues,) * rounds,
    )


@given(st.randoms(use_true_random=False), st.integers(1, 3), st.integers(1, 2))
def test_departures_are_the_values_that_are_not_benign(source, queues, rounds):
    _, case = sampled(SimpleNamespace(name="any"), queues, rounds, source)
    calm = benign(queues, rounds)

    def flat(case: Case) -> list[int]:
        return [
            number
            for group in (case.consumer, *case.queues, *(asked for round_ in case.rounds for asked in round_))
            for _, number in sorted(group.items())
        ]

    assert case.departures == sum(one != other for one, other in zip(flat(case), flat(calm), strict=True))
    assert calm.departures == 0


def test_numbers_encode_the_environments_words():
    words = {environment.OK, environment.DENIED, environment.EXC, environment.UNLOCK_EXC, environment.NO_BROKER}
    assert {*LOCKS} == words
    assert {*PERSISTS} == {environment.OK, environment.THROW, environment.THROW_SECOND}
    assert LOCKS[0] == PERSISTS[0] == environment.OK
    assert [kind.name for kind in KINDS] == ["push", "pull", "lite"]
    assert len(set(WHERES)) == len(WHERES) == 4
    assert {*numbers.__all__} <= {*vars(numbers)}


def test_numbers_in_place_of_an_offset_are_distinct():
    assert len({FAILED, THROWN, NO_OFFSET, numbers.NOT_FOUND}) == 4
    assert max(FAILED, THROWN, NO_OFFSET, numbers.NOT_FOUND) < 0
    assert [stored(number) for number in (5, numbers.NOT_FOUND, FAILED, THROWN)] == [5, -1, FAILED, environment.THROWS]
    assert [queried(number) for number in (5, -1, FAILED, THROWN)] == [5, -1, environment.FAILS, environment.THROWS]
