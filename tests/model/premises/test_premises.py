"""Every premise: the digits, the concrete groups and the symbolic group speak of the same groups."""

from dataclasses import replace
from itertools import combinations, product

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.premises import AGREED, JOINS, PREMISES
from rebalance_proofs.model.premises.grows import GROWS
from rebalance_proofs.model.premises.restarts import RESTARTS
from rebalance_proofs.model.premises.same_order import SAME_ORDER
from rebalance_proofs.model.premises.several_joins import SEVERAL_JOIN
from rebalance_proofs.model.premises.two_joins import TWO_JOINS
from tests.model.premises.symbolic import Symbolic, takers

ALL = (AGREED, JOINS, GROWS, SEVERAL_JOIN, TWO_JOINS, RESTARTS, *PREMISES)
SMALL = tuple(product((1, 2, 3), (1, 2, 3)))
CHECKED = 1500
"""How many assignments are laid out as groups; evenly spread over all small ones."""

each_premise = pytest.mark.parametrize("premise", ALL, ids=lambda premise: premise.name)
each_choice = pytest.mark.parametrize(
    ("premise", "strategies"),
    [
        pytest.param(premise, chosen, id="-".join([premise.name, *(strategy.name for strategy in chosen)]))
        for premise in ALL
        for chosen in combinations(STRATEGIES, premise.strategies)
    ],
)


@each_premise
def test_names_and_words_are_there(premise):
    assert premise.sentence.endswith(".")
    assert premise.source.startswith("https://")
    assert premise.dropped is bool(premise.without) is (premise in PREMISES)
    assert premise.otherwise == premise.otherwise.rstrip(".")
    assert [other for other in ALL if other.name == premise.name] == [premise]


@each_premise
@pytest.mark.parametrize(("n", "q"), [*SMALL, (4, 2), (2, 4), (4, 4)])
def test_the_closed_form_counts_the_groups(premise, n, q):
    groups = list(premise.all_values(n, q))
    assert len(groups) == len(set(groups)) == premise.groups(n, q)


@each_choice
@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_group_is_admitted_by_the_symbolic_group_and_its_queues_have_the_same_owners(premise, strategies, n):
    assignments, expected = [], []
    for q in (1, 2, 3):
        for values in premise.all_values(n, q):
            assignments += [premise.assignment(n, q, values, queue) for queue in range(q)]
            expected += [[1, q, *owned] for owned in takers(premise, strategies, n, q, values)]
    assert Symbolic(premise, strategies, n)(assignments) == expected


@each_choice
def test_every_assignment_is_seen_in_the_group_that_it_is_laid_out_as(premise, strategies):
    n = next(n for n in (2, 3) if premise.groups(n, 3))
    symbolic = Symbolic(premise, strategies, n)
    values = range(4 if len(symbolic.names) < 6 else 3)
    grid = [dict(zip(symbolic.names, row, strict=True)) for row in product(values, repeat=len(symbolic.names))]
    admitted = [(assignment, row) for assignment, row in zip(grid, symbolic(grid), strict=True) if row[0]]
    assert admitted
    for assignment, (_, queues, *owned) in admitted[:: len(admitted) // CHECKED + 1]:
        q, values = premise.configuration(n, assignment)
        assert q == queues
        assert premise.admits(n, q, values)
        assert all(0 <= value < radix for value, radix in zip(values, premise.radices(n, q), strict=True))
        seen = [queue for queue in range(q) if premise.assignment(n, q, values, queue) == assignment]
        assert owned in [takers(premise, strategies, n, q, values)[queue] for queue in seen]


@pytest.mark.parametrize("radices", [(), (1,), (3,), (2, 3, 2), (2, 0, 3), (4, 1, 2)])
def test_digits_are_counted_upwards(radices):
    premise = replace(AGREED, radices=lambda n, q: radices, admits=lambda n, q, values: True)
    assert list(premise.all_values(2, 2)) == list(product(*map(range, radices)))


def test_the_first_of_more_groups_than_a_list_can_have_come_at_once():
    found = SAME_ORDER.all_values(2, 90)
    assert [next(found) for _ in range(5)] == [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0)]
