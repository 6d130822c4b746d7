"""NEARBY's theorems: proved by both solvers, true of the code, not provable of wrong encodings."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from rebalance_proofs.model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY, MUTANTS, NEARBY
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.allocation.nearby import COVERAGE, EXCLUSION, HOME
from rebalance_proofs.proofs.allocation.observed import observed
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome

STEPS = {step.name: step for step in (*EXCLUSION, *COVERAGE, *HOME.obligations(AGREED))}
BY_NAME = {mutant.name: mutant.encoding for mutant in MUTANTS}
EVERY, FORGOTTEN, AMONG_ALL, NEAR = BY_NAME
FAILS = {
    "exclusive": {EVERY, NEAR},
    "near-owner": {AMONG_ALL},
    "far-owner": {FORGOTTEN, NEAR},
    "home": {EVERY, NEAR},
}
ROOMS = ("own", "room", "own_i", "own_j")

each_step = pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)


def said(step, encoding, solver):
    return SOLVERS[solver].solve(texts.proof("test", step, encoding), seconds=20)[0]


@cache
def verdicts(step, encoding):
    """For all small values at which the premises are met (a column each): whether the conclusion holds."""
    ranges = [range(3 if name in ROOMS else 2) for name in step.variables]
    values = np.array(list(product(*ranges))).T
    statement = step.statement(encoding)
    kernel = compile_kernel(step.variables, smt.And(*statement.given.values()), statement.then)
    met, holds = (np.broadcast_to(column, values.shape[1]) for column in kernel(*values))
    return values[:, met], holds[met]


@each_step
@pytest.mark.parametrize("solver", SOLVERS)
def test_nearby_obligation_is_proved_by_each_solver(step, solver):
    assert said(step, NEARBY, solver) is Outcome.UNSAT


@each_step
def test_nearby_obligation_holds_at_small_values(step):
    met, holds = verdicts(step, NEARBY)
    assert met.shape[1] > 0
    assert holds.all()


@each_step
def test_nearby_obligation_holds_for_the_code(step):
    seen, met = observed(MACHINE_ROOM_NEARBY), 0
    for column in verdicts(step, NEARBY)[0].T.tolist():
        statement = step.statement(seen, dict(zip(step.variables, column, strict=True)))
        met += all(smt.is_true(simplify(formula)) for formula in statement.given.values())
        assert smt.is_true(simplify(statement.then)), column
    assert met == verdicts(step, NEARBY)[0].shape[1]


@each_step
def test_nearby_obligation_fails_for_exactly_the_expected_mutants(step):
    expected = FAILS[step.name]
    for solver in SOLVERS:
        assert {name for name, wrong in BY_NAME.items() if said(step, wrong, solver) is Outcome.SAT} == expected
    assert {name for name, wrong in BY_NAME.items() if not verdicts(step, wrong)[1].all()} == expected


def test_consumers_of_dead_rooms_satisfy_no_assumption():
    (exclusive,) = EXCLUSION
    met = dict(zip(exclusive.variables, verdicts(exclusive, NEARBY)[0], strict=True))
    at_home = (met["own_i"] == met["room"]) | (met["own_j"] == met["room"])
    assert met["alive"][at_home].all()
    assert not met["alive"].all()
