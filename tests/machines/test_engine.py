"""The machine engine on a small machine without a clock; declarations that are refused."""

from dataclasses import dataclass, replace
from typing import Annotated

import pytest

from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.machine import Actions, Machine, becomes, step
from rebalance_proofs.model.machine.record import Record, Timed, Variable, variables
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or, number, truth
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.terms.solver import Solver, sat, unsat
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.machine.induction import Induction
from rebalance_proofs.proofs.machine.kind import explored, timed_runs
from rebalance_proofs.proofs.timed_search import Unended
from tests.machines.evaluator import Evaluator, Event, Unexplained
from tests.machines.refinement import refinement
from tests.machines.rules import by_rule
from tests.machines.test_machines import fails
from tests.machines.tickets import (
    AHEAD,
    BOUND,
    CALLS_ANY,
    CLIENT,
    CONFIGURATION,
    ENCODING,
    TICKETS,
    WORLD,
    Choices,
    Desk,
    Limits,
    bad,
)

NO_MORE = Guarantee("no-more", "", "", always(), bad, bad)
CLAIM = Claim("tickets", (CLIENT,), NO_MORE, WORLD, True, "", "", "", ())
CONCLUSION = ("no-more", "no more are called than there are")
PROOF = Induction(CONFIGURATION, CLIENT, WORLD, (AHEAD, BOUND), bad, CONCLUSION)
EVALUATOR = Evaluator(TICKETS, CLIENT, Limits(tickets=5))


def test_values_are_python_values_or_terms():
    x, p = smt.Int("x"), smt.Bool("p")
    assert (And(), And(True, False), Or(), Or(False, True), Not(True)) == (True, False, False, True, False)
    assert (Implies(False, False), Implies(True, False), If(True, 1, 2), If(False, 1, 2)) == (True, False, 1, 2)
    assert And(True, p) is smt.And(True, p)
    assert If(p, 1, x) is smt.If(p, 1, x)
    assert If(True, x, 1) is x
    for plain in (number, truth):
        with pytest.raises(TypeError, match="is a term"):
            plain(x)


def test_record_with_a_term_consists_of_terms():
    state = Desk.blank().but(drawn=smt.Int("x"))
    assert all(map(smt.is_expr, vars(state).values()))
    assert Desk.numbers({"drawn": 1, "called": 0, "busy": 1, "most": 2, "else": 9}) == Desk(1, 0, True, 2)
    with pytest.raises(TypeError):
        state.but(nothing=1)


@dataclass(frozen=True)
class Ranged(Record):
    offset: Annotated[Int, Variable("An offset.", least=-1, none=-10)]
    count: Annotated[Int, Variable("How many.")]
    whose: Annotated[Int, Variable("Whose.", names=True)]
    so: Annotated[Bool, Variable("Whether.")]


@pytest.mark.parametrize(
    ("offset", "count", "there"), [(-1, 0, True), (-10, 3, True), (5, 5, True), (-2, 0, False), (0, -1, False)]
)
def test_numbers_are_in_their_ranges(offset, count, there):
    record = Ranged(offset, count, -1, False)
    assert record.in_range() is there
    assert smt.is_true(simplify(record.terms().in_range())) is there
    assert record.in_range(["offset"]) is (offset in (-1, -10, 5, 0))
    assert record.in_range([]) is True


def test_fields_change_under_a_condition():
    desk, p = Desk.blank(), smt.Bool("p")
    assert (desk.where(True, busy=True), desk.where(False, busy=True)) == (desk.but(busy=True), desk)
    assert desk.where(p, busy=True).busy is smt.If(p, smt.BoolVal(True), smt.BoolVal(False))


@dataclass(frozen=True)
class Bare(Record):
    x: Int


@dataclass(frozen=True)
class Plain(Record):
    x: Annotated[str, Variable("No number.")]


@pytest.mark.parametrize("record", [Bare, Plain])
def test_field_needs_an_annotation(record):
    with pytest.raises(TypeError, match=rf"{record.__name__}\.x is not Annotated"):
        variables(record)


def test_two_actions_with_the_same_name_are_refused():
    action = Actions()
    for _ in range(2):
        action("It waits.")(lambda s, c, lim, variant: step(True))
    with pytest.raises(ValueError, match="two actions have one name"):
        _ = Machine(Desk, Choices, Limits, lambda blank, lim, variant: blank, action).actions


def test_name_in_two_records_is_refused():
    """Otherwise a choice and a state field would be one variable, and a proof would be about neither."""

    @dataclass(frozen=True)
    class Drawn(Record):
        drawn: Annotated[Bool, Variable("It is drawn.")]

    machine = Machine(Desk, Drawn, Limits, lambda blank, lim, variant: blank, Actions())
    with pytest.raises(ValueError, match="have a field of the same name: drawn"):
        _ = replace(CONFIGURATION, machine=machine).names


def test_action_that_changes_the_time_is_refused():
    action = Actions()

    @action("It waits.")
    def waits(s, c, lim, variant):
        return step(True, now=s.now + 1)

    machine = Machine(Timed, Choices, Limits, lambda blank, lim, variant: blank, action)
    with pytest.raises(ValueError, match="waits changes the time"):
        machine.turn("waits", None, Timed(now=0), Choices(two=False), Limits(tickets=0))


@dataclass(frozen=True)
class Several(Record):
    people: Annotated[Int, Variable("How many come.")]
    two: Annotated[Bool, Variable("They draw two tickets each.")]


def test_choice_may_be_a_number():
    action = Actions()

    @action("Several come.", choices=("people", "two"))
    def come(s, c, lim, variant):
        drawn = s.drawn + c.people * If(c.two, 2, 1)
        return becomes(And(c.people > 0, drawn <= lim.tickets), s.but(drawn=drawn))

    machine = Machine(Desk, Several, Limits, lambda blank, lim, variant: blank, action)
    of = replace(CONFIGURATION, machine=machine, numbers=lambda limits: {"people": limits.tickets - 1})
    assert of.opens == {"come": ("two",)}
    assert [dict(move.said) for move in of.moves] == [{"two": False}, {"two": True}]
    assert of.chosen(of.moves[1], Limits(tickets=5)) == Several(4, True)
    evaluator = Evaluator(machine, None, Limits(tickets=5), {"people": (1, 2, 3)})
    assert {state.drawn for state in evaluator.explain([Event("come")])} == {1, 2, 3, 4}
    assert {state.drawn for state in evaluator.explain([Event("come", choices={"people": 5})])} == {5}


def test_well_formedness_is_a_part_of_every_invariant():
    machine = replace(TICKETS, well_formed=lambda s, lim: s.drawn >= 0)
    proof = replace(PROOF, configuration=replace(CONFIGURATION, machine=machine))
    v = proof.configuration.unknowns()
    assert "the state is well-formed" in proof.well(v)
    assert not [one.name for one in proof.obligations() if fails(one, ENCODING)]


def test_steps_prove_the_consequence_without_a_conclusion():
    proof = replace(PROOF, conclusion=None)
    steps = {step.name: step for step in proof.obligations()}
    assert list(steps) == ["initiation", "draws", "calls", "ends"]
    assert not [name for name, obligation in steps.items() if fails(obligation, ENCODING)]
    unbound = {step.name: step for step in replace(proof, invariant=(BOUND,)).obligations()}
    assert [name for name, obligation in unbound.items() if fails(obligation, ENCODING)] == ["draws", "ends"]


def test_open_initial_fields_are_arbitrary_in_proofs_and_fixed_in_runs():
    machine = replace(TICKETS, first=lambda blank, lim, desk: blank, open={"busy": True})
    busy = Conjunct("busy", "Somebody is served.", lambda s, lim: s.busy)
    proof = Induction(replace(CONFIGURATION, machine=machine), CLIENT, WORLD, (busy,), bad, CONCLUSION)
    assert machine.begun(Limits(tickets=5), CLIENT).busy is True
    assert "initiation" not in [step.name for step in proof.obligations()]
    (first,) = (step for step in replace(proof, open=True).obligations() if step.name == "initiation")
    assert fails(first, ENCODING)


def test_choices_may_follow_from_others():
    of = replace(CONFIGURATION, follows=lambda c: c.but(two=True))
    assert of.chosen(of.happens("calls"), Limits(tickets=5)).two is True
    schedule = explored(replace(of, ticks=Limits(tickets=4)), CALLS_ANY.mutant(ENCODING).encoding, CLAIM)
    assert [happens.action for happens in schedule] == ["calls"] * 5


def test_machine_without_a_clock_is_proved_without_time():
    steps = {step.name: step for step in PROOF.obligations()}
    assert list(steps) == ["initiation", "draws", "calls", "ends", "no-more"]
    assert not [name for name, obligation in steps.items() if fails(obligation, ENCODING)]
    wrong = CALLS_ANY.mutant(ENCODING).encoding
    assert [name for name, obligation in steps.items() if fails(obligation, wrong)] == ["calls"]


def test_client_with_an_action_has_its_obligation():
    more = replace(PROOF, variant=replace(CLIENT, repeats=True))
    assert "repeats" in [step.name for step in more.obligations()]


def test_action_is_excluded_by_an_assumption_only():
    class Closed(type(WORLD)):
        @property
        def excludes(self):
            return {"draws": "no customer comes"}

    closed = Closed("closed", ("no customer comes",))
    assert "draws" not in [step.name for step in replace(PROOF, world=closed).obligations()]
    assert closed.permits("draws", *[None] * 3) is False


def test_exploration_finds_the_shortest_run_possible_as_terms():
    assert explored(CONFIGURATION, ENCODING, CLAIM) is None
    wrong = CALLS_ANY.mutant(ENCODING).encoding
    schedule = explored(CONFIGURATION, wrong, CLAIM)
    assert [happens.action for happens in schedule] == ["calls"] * 4
    runs = timed_runs(CONFIGURATION)
    (tickets,) = unknowns = runs.unknowns(schedule)
    found = runs.reached(wrong, CLAIM, schedule, unknowns)
    assert simplify(found.state.called).number == 4
    solver = Solver()
    solver.add(*found.constraints.values())
    assert solver.check() == sat
    solver.add(tickets < 0)
    assert solver.check() == unsat
    assert runs.settled(unknowns, ()) == [5]


def test_exploration_stops_or_fails_at_its_limit():
    wrong = CALLS_ANY.mutant(ENCODING).encoding
    assert explored(replace(CONFIGURATION, limit=3, gives_up=True), wrong, CLAIM) is None
    with pytest.raises(Unended, match="the search has not ended after 3 actions"):
        explored(replace(CONFIGURATION, limit=3), wrong, CLAIM)


def test_code_refines_the_terms_and_wrong_rules_are_detected():
    steps = {name: refinement(CONFIGURATION, CLIENT, name) for name in TICKETS.actions}
    assert not [name for name, step in steps.items() if fails(step, ENCODING)]
    found = list(by_rule(TICKETS, CLIENT, ENCODING))
    assert {name for name, _ in found} == {"draws", "calls", "ends"}
    assert not [mutant.name for name, mutant in found if not fails(steps[name], mutant.encoding)]
    assert {"draws: guard dropped", "calls: guard negated", "ends: busy, effect dropped"} <= {
        mutant.name for _, mutant in found
    }
    assert {"draws: drawn, 1 off by one", "ends: effect of draws"} <= {mutant.name for _, mutant in found}
    assert any("branches exchanged" in mutant.name for _, mutant in found)


def test_trace_is_explained_with_its_open_choices():
    events = [Event("draws"), Event("calls", seen={"called": 1}), Event("ends"), Event("calls")]
    (state,) = EVALUATOR.explain(events)
    assert (state.drawn, state.called) == (2, 2)
    assert {state.drawn for state in EVALUATOR.explain(events[:2])} == {1, 2}
    assert {event.action for event, _ in EVALUATOR.enabled(state)} == {"draws", "ends"}


def test_impossible_trace_is_reported_with_its_position():
    with pytest.raises(Unexplained) as told:
        EVALUATOR.explain([Event("draws", choices={"two": False}), Event("calls"), Event("calls")])
    assert told.value.args[0] == 2
    with pytest.raises(Impossible):
        EVALUATOR.step(EVALUATOR.first(), "repeats")
