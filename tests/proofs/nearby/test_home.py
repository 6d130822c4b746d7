"""Home, on results written by hand, and the formula that the solvers refute."""

from dataclasses import replace
from itertools import product

import pytest

from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat
from rebalance_proofs.model.worlds.rooms import ROOMS_OF_AVG
from rebalance_proofs.model.worlds.settings import sized_member
from rebalance_proofs.proofs.allocation.nearby import HOME

ONLY = (MACHINE_ROOM_NEARBY,)
A, B, C = range(3)


def said(values, *listed):
    """About these places in the results of c0 and c1, of two queues."""
    group = ROOMS_OF_AVG.group(ONLY, 2, 2, values)
    return HOME.violation(group, [[group.queues[place] for place in places] for places in listed])


@pytest.mark.parametrize(
    ("values", "listed", "sentence"),
    [
        pytest.param((A, B, A, B), ([0], [1]), None, id="everything at home"),
        pytest.param((A, B, A, B), ([], []), None, id="nothing is taken"),
        pytest.param((A, C, A, B), ([0], [1]), None, id="a room without consumers"),
        pytest.param((A, B, A, B), ([1], [0]), "queue 1 of room B is taken by c0.", id="exchanged"),
        pytest.param((A, A, A, B), ([0], [1]), "queue 1 of room A is taken by c1.", id="one leaves"),
    ],
)
def test_home_results_by_hand(values, listed, sentence):
    assert said(values, *listed) == sentence


@pytest.mark.parametrize("taken", list(product((False, True), repeat=2)), ids=str)
def test_home_formula_and_test_agree_on_any_results(taken):
    """For one queue and two consumers in any rooms."""
    symbolic = ROOMS_OF_AVG.symbolic((MACHINE_ROOM_NEARBY.encoding,), 2, 1)
    members = [sized_member([smt.BoolVal(takes)], 2, place, smt.Int("p")) for place, takes in enumerate(taken)]
    formula = HOME.violated(replace(symbolic, members=tuple(members)))
    for values in ROOMS_OF_AVG.all_values(2, 1):
        group, solver = ROOMS_OF_AVG.group(ONLY, 2, 1, values), Solver()
        given = ROOMS_OF_AVG.assignment(2, 1, values, 0)
        solver.add(formula, *(smt.Int(name) == value for name, value in given.items()))
        results = [[*group.queues] * takes for takes in taken]
        assert (solver.check() == sat) == (HOME.violation(group, results) is not None)
