"""Every premise: digits, concrete group and symbolic group describe the same groups."""

from dataclasses import replace
from itertools import combinations, product

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.premises.same_order import SAME_ORDER
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.model.worlds.grows import GROWS
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.model.worlds.restarts import RESTARTS
from rebalance_proofs.model.worlds.several_joins import SEVERAL_JOIN
from rebalance_proofs.model.worlds.two_joins import TWO_JOINS
from tests.each import each
from tests.model.premises.symbolic import Symbolic, takers

ALL = (AGREED, JOINS, GROWS, SEVERAL_JOIN, TWO_JOINS, RESTARTS, *PREMISES)
SMALL = tuple(product((1, 2, 3), (1, 2, 3)))
CHECKED = 1500
"""How many assignments are laid out as groups; evenly spread over all small ones."""

each_premise = each("world", ALL, ids=lambda world: world.name)
each_choice = each(
    ("world", "strategies"),
    [
        pytest.param(world, chosen, id="-".join([world.name, *(strategy.name for strategy in chosen)]))
        for world in ALL
        for chosen in combinations(STRATEGIES, world.subjects)
    ],
)


@each_premise
def test_assumption_has_name_and_sentences(world):
    assert world.sentence.endswith(".")
    assert world.source.startswith("https://")
    assert world.dropped is bool(world.without) is (world in PREMISES)
    assert world.otherwise == world.otherwise.rstrip(".")
    assert [other for other in ALL if other.name == world.name] == [world]


@each_premise
@each(("n", "q"), [*SMALL, (4, 2), (2, 4), (4, 4)])
def test_closed_form_counts_the_groups(world, n, q):
    groups = list(world.all_values(n, q))
    assert len(groups) == len(set(groups)) == world.groups(n, q)


@each_choice
@each("n", [1, 2, 3])
def test_every_group_is_in_the_symbolic_group_with_the_same_owners(world, strategies, n):
    assignments, expected = [], []
    for q in (1, 2, 3):
        for values in world.all_values(n, q):
            assignments += [world.assignment(n, q, values, queue) for queue in range(q)]
            expected += [[1, q, *owned] for owned in takers(world, strategies, n, q, values)]
    assert Symbolic(world, strategies, n)(assignments) == expected


@each_choice
def test_every_assignment_is_in_the_group_of_its_configuration(world, strategies):
    n = next(n for n in (2, 3) if world.groups(n, 3))
    symbolic = Symbolic(world, strategies, n)
    values = range(4 if len(symbolic.names) < 6 else 3)
    grid = [dict(zip(symbolic.names, row, strict=True)) for row in product(values, repeat=len(symbolic.names))]
    admitted = [(assignment, row) for assignment, row in zip(grid, symbolic(grid), strict=True) if row[0]]
    assert admitted
    for assignment, (_, queues, *owned) in admitted[:: len(admitted) // CHECKED + 1]:
        q, values = world.configuration(n, assignment)
        assert q == queues
        assert world.admits(n, q, values)
        assert all(0 <= value < radix for value, radix in zip(values, world.radices(n, q), strict=True))
        seen = [queue for queue in range(q) if world.assignment(n, q, values, queue) == assignment]
        assert owned in [takers(world, strategies, n, q, values)[queue] for queue in seen]


@pytest.mark.parametrize("radices", [(), (1,), (3,), (2, 3, 2), (2, 0, 3), (4, 1, 2)])
def test_digits_are_counted_upwards(radices):
    world = replace(AGREED, radices=lambda n, q: radices, admits=lambda n, q, values: True)
    assert list(world.all_values(2, 2)) == list(product(*map(range, radices)))


def test_first_groups_of_a_huge_space_come_at_once():
    found = SAME_ORDER.all_values(2, 90)
    assert [next(found) for _ in range(5)] == [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0)]
