"""Successor: sentences about results, and the formula for the solvers."""

from dataclasses import replace
from itertools import product

import pytest

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, CONSISTENT_HASH_GO
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat, unsat
from rebalance_proofs.model.worlds.ring_views import RING_OF_0, RINGS_OF_1
from rebalance_proofs.model.worlds.settings import sized_member
from rebalance_proofs.proofs.hashing.induction import SUCCESSOR, SUCCESSOR_GO

ONLY = (CONSISTENT_HASH,)
AROUND = (0, 2, 2)
"""Node of c0, queue 0, node of c1."""
COLLIDING = (0, 1, 0)
"""Queue 0, both nodes."""


def said(digits, *listed):
    """About these places in the results of c0 and c1."""
    group = RINGS_OF_1.group(ONLY, 2, 1, digits)
    return SUCCESSOR.violation(group, [[group.queues[place] for place in places] for places in listed])


@pytest.mark.parametrize(("digits", "owner"), [(AROUND, 1), (COLLIDING, 1), ((0, 2, 0), 0), ((0, 2, 4), 0)])
def test_only_the_next_node_satisfies_successor(digits, owner):
    right, wrong = ([[0], []], [[], [0]]) if owner == 0 else ([[], [0]], [[0], []])
    assert said(digits, *right) is None
    assert said(digits, *wrong) == (
        f"queue 0 goes to c{1 - owner}; c{owner}-0 of c{owner} is the first node at or after it."
    )


def test_second_consumer_of_a_queue_is_named():
    assert said(AROUND, [0], [0]) == "queue 0 goes to c0 and c1; c1-0 of c1 is the first node at or after it."
    assert said(AROUND, [], []) == "queue 0 goes to nobody; c1-0 of c1 is the first node at or after it."


def test_ring_without_nodes_violates_nothing():
    group = RING_OF_0.group(ONLY, 2, 1, (0,))
    assert SUCCESSOR.violation(group, group.allocate()) is None


@pytest.mark.parametrize(
    ("digits", "owner"),
    [
        pytest.param((0, 2, 1), 1, id="never to a node at its own hash"),
        pytest.param((0, 2, 0), 0, id="in front of all"),
        pytest.param((0, 1, 1), 1, id="of nodes that collide to that of the later id"),
    ],
)
def test_go_successor_is_strictly_after_the_hash(digits, owner):
    group = RINGS_OF_1.group((CONSISTENT_HASH_GO,), 2, 1, digits)
    right = [[*group.queues] * (place == owner) for place in range(2)]
    assert group.allocate() == right
    assert SUCCESSOR_GO.violation(group, right) is None
    assert SUCCESSOR_GO.violation(group, right[::-1]) == (
        f"queue 0 goes to c{1 - owner}; 0c{owner} of c{owner} is the first node after it."
    )


@pytest.mark.parametrize(("n", "q"), [(1, 1), (1, 2), (2, 1), (2, 2)])
@pytest.mark.parametrize(("strategy", "guarantee"), [(CONSISTENT_HASH, SUCCESSOR), (CONSISTENT_HASH_GO, SUCCESSOR_GO)])
def test_successor_holds_for_code_and_formula(strategy, guarantee, n, q):
    symbolic, solver = RINGS_OF_1.symbolic((strategy.encoding,), n, q), Solver()
    solver.add(*symbolic.constraints, guarantee.violated(symbolic))
    assert solver.check() == unsat
    for values in RINGS_OF_1.all_values(n, q):
        group = RINGS_OF_1.group((strategy,), n, q, values)
        assert guarantee.violation(group, group.allocate()) is None


@pytest.mark.parametrize("taken", list(product((False, True), repeat=2)), ids=str)
def test_successor_formula_and_test_agree_on_any_results(taken):
    for digits in RINGS_OF_1.all_values(2, 1):
        symbolic = RINGS_OF_1.symbolic((CONSISTENT_HASH.encoding,), 2, 1)
        position = symbolic.variables[0]
        members = tuple(sized_member([smt.BoolVal(takes)], 2, place, position) for place, takes in enumerate(taken))
        known = [smt.Int(name) == value for name, value in RINGS_OF_1.assignment(2, 1, digits, 0).items()]
        solver = Solver()
        solver.add(*known, SUCCESSOR.violated(replace(symbolic, members=members)))
        assert (solver.check() == sat) == (said(digits, *([0] * takes for takes in taken)) is not None)
