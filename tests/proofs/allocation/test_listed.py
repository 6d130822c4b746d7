"""Listed: verdicts on results, its obligations about ranks, and encodings that break them."""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.machine_room import KINDS, MACHINE_ROOM, MUTANTS, MUTANTS_GO, ROOM_GO, ROOM_RUST
from rebalance_proofs.model.allocation.machine_room import ROOM_ENCODING as ROOM
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO, MACHINE_ROOM_RUST
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.terms.solver import Solver, sat
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.model.worlds.kinds import KIND_GROUPS
from rebalance_proofs.model.worlds.settings import sized_member
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.allocation.listed import COVERS_LISTED, EXCLUSIVE_RANKS, LISTED
from rebalance_proofs.proofs.allocation.observed import observed
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome

STEPS = {step.name: step for step in (*LISTED.obligations(AGREED), *EXCLUSIVE_RANKS)}
ABOUT_RANKS = ("kept-only", "kept-all", "exclusive-ranks")
WRONG = {mutant.name: mutant.encoding for mutant in MUTANTS} | {"go": ROOM_GO}
WHOLE, NO_REST, FRONT, ROUNDED, ALL_FIRST, MORE_COUNTED, NOT_FIRST, TWICE, NOT_SECOND, *NOT_KEPT, GO = WRONG
ANOTHER_ROOM, EMPTY_PARTS = NOT_KEPT
FAILS = {
    "kept-rooms": {ANOTHER_ROOM, EMPTY_PARTS},
    "owner-owns": {NO_REST, FRONT, ROUNDED, ALL_FIRST, NOT_FIRST, TWICE, NOT_SECOND},
    "kept-only": {WHOLE, GO},
    "kept-all": {WHOLE, GO},
    "exclusive-ranks": {FRONT, ROUNDED, TWICE},
}
RANGES = {"kind": range(-1, 8), "c": range(1, 4), "i": range(3), "j": range(3), "kept": range(2)}
PLAIN, OTHER_ROOM = 0, 1

each_step = pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
each_client = pytest.mark.parametrize("strategy", [MACHINE_ROOM, MACHINE_ROOM_RUST], ids=lambda found: found.name)


def said_by(solver, step, encoding):
    return SOLVERS[solver].solve(texts.proof("test", step, encoding), seconds=20)[0]


@cache
def verdicts(step, encoding):
    """The small values at which the premises are met (a column each), and whether the conclusion holds there."""
    values = np.array(list(product(*(RANGES.get(name, range(6)) for name in step.variables)))).T
    statement = step.statement(encoding)
    kernel = compile_kernel(step.variables, smt.And(*statement.given.values()), statement.then)
    met, holds = (np.broadcast_to(column, values.shape[1]) for column in kernel(*values))
    return values[:, met], holds[met]


@each_step
@pytest.mark.parametrize("encoding", [ROOM, ROOM_RUST], ids=["java", "rust"])
def test_listed_obligation_is_proved_by_each_solver(step, encoding):
    assert {said_by(solver, step, encoding) for solver in SOLVERS} == {Outcome.UNSAT}


@each_step
def test_listed_obligation_holds_at_small_values(step):
    met, holds = verdicts(step, ROOM)
    assert met.shape[1] > 0
    assert holds.all()


@each_step
@each_client
def test_listed_obligation_holds_for_the_code(step, strategy):
    true_of_the_code(step, strategy)


def test_exclusion_holds_for_the_go_client():
    true_of_the_code(STEPS["exclusive-ranks"], MACHINE_ROOM_GO)


def true_of_the_code(step, strategy):
    met, _ = verdicts(step, strategy.encoding)
    assert met.shape[1] > 0
    for column in met[:, :: met.shape[1] // 60 + 1].T.tolist():
        values = dict(zip(step.variables, column, strict=True))
        statement = step.statement(observed(strategy), values)
        assert all(smt.is_true(simplify(formula)) for formula in (*statement.given.values(), statement.then)), values


@each_step
def test_listed_obligation_fails_for_exactly_the_expected_encodings(step):
    expected = FAILS.get(step.name, set())
    for solver in SOLVERS:
        failing = {name for name, wrong in WRONG.items() if said_by(solver, step, wrong) is not Outcome.UNSAT}
        assert failing == expected


@pytest.mark.parametrize("mutant", MUTANTS_GO, ids=lambda mutant: mutant.name)
def test_exclusion_fails_for_go_mutants(mutant):
    for solver in SOLVERS:
        assert said_by(solver, STEPS["exclusive-ranks"], mutant.encoding) is not Outcome.UNSAT
    assert not verdicts(STEPS["exclusive-ranks"], mutant.encoding)[1].all()


def test_any_wrong_selection_of_rooms_is_detected():
    """Of all sets of kinds only the right one passes."""
    for chosen in product((False, True), repeat=len(KINDS)):
        kinds = [kind for kind, kept in enumerate(chosen) if kept]
        keeps = lambda kind, kinds=kinds: smt.Or([kind == kept for kept in kinds])  # noqa: E731
        for right in (ROOM, ROOM_GO, ROOM_RUST):
            passes = verdicts(STEPS["kept-rooms"], replace(right, keeps=keeps))[1].all()
            assert passes == (kinds == [k for k in range(7) if smt.is_true(simplify(right.in_room(smt.IntVal(k))))])


@pytest.mark.parametrize("name", ABOUT_RANKS)
def test_failing_obligation_is_false_for_small_values(name):
    step = STEPS[name]
    small = {wrong: bool(verdicts(step, encoding)[1].all()) for wrong, encoding in WRONG.items()}
    assert {wrong for wrong, holds in small.items() if not holds} <= FAILS[name]
    assert not all(small.values())


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.integers(1, 3))
def test_rank_assumptions_hold_at_every_position(kept, c):
    """The assumed number of selected queues before a position, and in total."""
    for p, one in enumerate(kept):
        values = {"q": sum(kept), "c": c, "i": 0, "p": p, "kept": int(one), "r": sum(kept[:p])}
        *ranks, _ = STEPS["kept-all"].statement(ROOM, values).given.values()
        assert all(smt.is_true(simplify(world)) for world in ranks)


@given(st.lists(st.booleans(), min_size=1, max_size=8))
def test_rank_induction_continues_to_the_end(kept):
    ranks = [sum(kept[:p]) for p in range(len(kept) + 1)]
    for p, one in enumerate(kept):
        holds(STEPS["rank.base"], r=ranks[p], kept=int(one), next=ranks[p + 1])
        for later in range(p + 1, len(kept)):
            holds(STEPS["rank.step"], r=ranks[p], kept=int(one), s=ranks[later], next=ranks[later + 1])


def holds(step, **values):
    statement = step.statement(ROOM, values)
    assert all(smt.is_true(simplify(formula)) for formula in (*statement.given.values(), statement.then)), values


def test_larger_count_is_detected_by_other_claims():
    """It changes neither the owner of a queue nor the owner of a rank: `shares` has to detect it."""
    assert not any(MORE_COUNTED in failing for failing in FAILS.values())


def said(guarantee, kinds, taken):
    """About these places taken by the only consumer."""
    group = KIND_GROUPS.group((MACHINE_ROOM,), 1, len(kinds), kinds)
    return guarantee.violation(group, [[group.queues[place] for place in taken]])


@pytest.mark.parametrize(
    ("kinds", "taken", "listed", "covers"),
    [
        pytest.param((PLAIN, OTHER_ROOM), [0], None, None, id="exactly those"),
        pytest.param((PLAIN, PLAIN), [1], "queue 0 of a listed room has no consumer.", ..., id="one is left"),
        pytest.param(
            (PLAIN, OTHER_ROOM), [0, 1], "queue 1 is consumed, although it is in no listed room.", None, id="too much"
        ),
        pytest.param((OTHER_ROOM,), [], None, None, id="nothing to take"),
        pytest.param(
            (OTHER_ROOM, PLAIN),
            [0],
            "queue 0 is consumed, although it is in no listed room.",
            "queue 1 of a listed room has no consumer.",
            id="the wrong one",
        ),
    ],
)
def test_listed_results_by_hand(kinds, taken, listed, covers):
    assert said(LISTED, kinds, taken) == listed
    assert said(COVERS_LISTED, kinds, taken) == (listed if covers is ... else covers)


@pytest.mark.parametrize("guarantee", [LISTED, COVERS_LISTED], ids=lambda guarantee: guarantee.name)
def test_formula_and_test_agree_on_any_listed_results(guarantee):
    for kinds in product(range(7), repeat=2):
        symbolic = KIND_GROUPS.symbolic((ROOM,), 1, 2)
        known = [smt.Int(f"kind{place}") == kind for place, kind in enumerate(kinds)]
        for owned in product((False, True), repeat=2):
            member = sized_member(list(map(smt.BoolVal, owned)), 1, 0, smt.Int("p"))
            solver = Solver()
            solver.add(*symbolic.constraints, *known, guarantee.violated(replace(symbolic, members=(member,))))
            taken = [place for place in range(2) if owned[place]]
            assert (solver.check() == sat) == (said(guarantee, kinds, taken) is not None)
