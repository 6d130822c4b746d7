"""NEARBY's theorems: proved by both solvers, true of the code, not provable of wrong encodings."""

from functools import cache
from itertools import product

import pytest
import z3

from model.allocation.machine_room_nearby import MACHINE_ROOM_NEARBY
from model.allocation.nearby import MUTANTS, NEARBY
from proofs import texts
from proofs.nearby.composition import COVERAGE, EXCLUSION, HOME
from proofs.observed import observed
from proofs.solvers import SOLVERS, Outcome

STEPS = {step.name: step for step in (*EXCLUSION, *COVERAGE, *HOME.obligations)}
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


def small_values(variables):
    """Truth values, and rooms of which only equality counts."""
    for row in product(*(range(3) if name in ROOMS else range(2) for name in variables)):
        yield dict(zip(variables, row, strict=True))


@cache
def verdicts(step, encoding):
    """For all small values at which the premises are met: whether the conclusion holds."""
    found = []
    for values in small_values(step.variables):
        statement = step.statement(encoding, values)
        if all(z3.is_true(z3.simplify(premise)) for premise in statement.given.values()):
            found.append((values, z3.is_true(z3.simplify(statement.then))))
    return found


@each_step
@pytest.mark.parametrize("solver", SOLVERS)
def test_each_solver_proves_it(step, solver):
    assert said(step, NEARBY, solver) is Outcome.UNSAT


@each_step
@pytest.mark.parametrize("encoding", [NEARBY, observed(MACHINE_ROOM_NEARBY)], ids=["terms", "code"])
def test_it_is_met_and_never_false_at_small_values(step, encoding):
    found = verdicts(step, encoding)
    assert found
    assert not [values for values, holds in found if not holds]


@each_step
def test_it_fails_by_the_mutants_that_it_should_notice_and_by_no_others(step):
    expected = FAILS[step.name]
    for solver in SOLVERS:
        assert {name for name, wrong in BY_NAME.items() if said(step, wrong, solver) is Outcome.SAT} == expected
    broken = {name for name, wrong in BY_NAME.items() if not all(holds for _, holds in verdicts(step, wrong))}
    assert broken == expected


def test_a_consumer_whose_room_is_dead_is_nowhere_in_the_premises():
    (exclusive,) = EXCLUSION
    for values, _ in verdicts(exclusive, NEARBY):
        assert values["alive"] or values["room"] not in (values["own_i"], values["own_j"])
