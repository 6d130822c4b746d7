"""No bad state, ghost or assumption of a page changes unnoticed: pinned states decide each of these formulas."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import ghosts
from rebalance_proofs.model.machine.values import term as smt_term
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.smt import And, Bool, Implies, Not, Or
from rebalance_proofs.model.terms.solver import Solver, unsat
from tests.pins.pin import ROOT
from tests.weakened.decided import differing, pin, read
from tests.weakened.formulas import ALLOWED, BAD, BY_NAME, EVERY, GHOST, LIMITS, THEN, TIME, formulas, unknowns
from tests.weakened.judged import Judge, possible
from tests.weakened.page import page
from tests.weakened.states import Chosen
from tests.weakened.variants import dropped, moved, simple

PRESENT, RECORDING = Bool("present"), Bool("recording")
MOST = {BAD: 0.02, GHOST: 0.1, ALLOWED: 0.05, TIME: 0.02, LIMITS: 0.05}
"""Sort of formulas -> the share of the variants that may equal their formula; of all sorts together, ``MOST_OF_ALL``.

Updates of ghosts repeat conditions that an action's guard decides.
"""
MOST_OF_ALL = 0.05
SHARING = [name for name, machine in BY_NAME.items() if machine.kind == "offsets"]
"""Machines whose actions have updates of ghosts in common."""
BY_OTHERS = {"lost_at"}
"""Ghosts that only other consumers change: what proofs rely on about them is no formula here yet."""


@pytest.mark.parametrize("name", BY_NAME)
def test_formulas_have_the_pinned_values_in_their_deciding_states(name):
    """Each is known by its name; ``python -m tests.pins decided`` pins new ones."""
    assert list(differing(BY_NAME[name], formulas(name), pin()[name])) == []
    assert bool(shared(name)[1]) is (name in SHARING)


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.slow] * (one != "pulls")) for one in BY_NAME])
def test_pinned_states_tell_every_variant_apart_but_equal_ones(name):
    """The solver has shown the equal ones to be equal when they were pinned."""
    chosen = Chosen(BY_NAME[name], [read(state) for state in pin()[name]["states"]])
    for formula in (one for one in formulas(name) if not (one.composed or one.name in pin()[name]["left"])):
        of = pin()[name]["formulas"][formula.name]
        parts, added = chosen.left(formula)
        own = simple(formula.term)
        names = {one.name for one in (*dropped(own), *moved(own))}
        assert names & {*parts} <= {*of["same"]}, formula.name
        assert added + len({*parts} - names) <= of["same added"], formula.name


@pytest.mark.parametrize("sort", MOST)
def test_few_variants_equal_their_formula(sort):
    every = [(name, of) for one in pin().values() for name, of in one["formulas"].items()]
    some = [of for name, of in every if name.split(" ")[1] == sort]
    assert sum(len(of["same"]) for of in some) <= MOST[sort] * sum(of["dropped"] for of in some)
    assert sum(len(of["same"]) for _, of in every) <= MOST_OF_ALL * sum(of["dropped"] for _, of in every)


def test_every_formula_is_pinned():
    assert not [name for name, of in pin().items() if of["left"]]


def shared(name):
    """Formulas of updates that the page adds to all actions, and updates of single actions made with them."""
    return [
        [one for one in formulas(name) if f" {GHOST} {EVERY} " in one.name],
        [one for one in formulas(name) if one.composed],
    ]


@pytest.mark.parametrize("name", SHARING)
def test_update_of_each_action_is_made_of_the_update_of_every_action(name):
    """Each change of a part of the shared update is noticed in its own pinned states."""
    own, composed = shared(name)
    assert {one.name.rpartition(" ")[2] for one in own} == {one.name.rpartition(" ")[2] for one in composed}
    machine = BY_NAME[name]
    for client in machine.clients:
        for formula in composed:
            about = formula.name.split(" ")
            if about[0] != client.name:
                continue
            (update,) = {one.term for one in own if one.name.endswith(f" {about[-1]}")}
            turn = act_of(client.encoding, about[2])(*unknowns(machine))
            values = {f"{THEN}{field}": value for field, value in vars(turn.after).items()}
            then = [one for one in smt.subterms(update) if repr(one).startswith(THEN)]
            made = smt.substitute(update, *((one, smt_term(values[repr(one)])) for one in then))
            solver = Solver()
            solver.add(made != getattr(turn.after, about[-1]))
            assert solver.check() == unsat, formula.name


@pytest.mark.parametrize("part", ["taken", "present", "then_present", "then_asking"])
def test_changed_update_of_every_action_is_noticed(part):
    (asked,), _ = shared("offsets-concurrently")
    wrong = replace(asked, term=smt.substitute(asked.term, (Bool(part), smt.BoolVal(part == "taken"))))
    (said,) = differing(
        BY_NAME["offsets-concurrently"],
        [wrong],
        pin()["offsets-concurrently"]
        | {"formulas": {asked.name: pin()["offsets-concurrently"]["formulas"][asked.name]}},
    )
    assert said.startswith(f"{asked.name}: ")


def negated_event(term):
    """The ghost's update, in which what happens counts only if the process queue is in the table."""
    (event,) = {one for one in smt.subterms(term) if one.kind == "or" and one.children[0] is Bool("late")}
    return smt.substitute(term, (event, Or(event.children[0], And(event.children[1], PRESENT))))


@pytest.mark.parametrize(
    ("name", "formula", "change"),
    [
        ("pulls", "ghost takes late", negated_event),
        ("offsets-concurrently", "bad not-skipped", lambda term: And(term, Not(Bool("asking")))),
        ("registry", "bad once", lambda term: And(term, Bool("link"))),
        ("registry", "bad listed", lambda term: smt.substitute(term, (Bool("others"), smt.BoolVal(True)))),
        ("settling", "java_v5_2_to_v5_3 bad waits bound1", lambda term: And(term, Bool("right"))),
        ("offsets-orderly", "bad one-batch", lambda term: smt.substitute(term, (PRESENT, smt.BoolVal(True)))),
        ("offsets-orderly", "commits", lambda term: And(term, Implies(RECORDING, PRESENT))),
    ],
)
def test_changed_formula_is_noticed_by_its_name(name, formula, change):
    """Each of these was noticed by nothing else."""
    asked = next(one for one in formulas(name) if one.name.endswith(f" {formula}") or one.name == formula)
    wrong = replace(asked, term=change(asked.term))
    every = [wrong if one is asked else one for one in formulas(name)]
    (said,) = differing(BY_NAME[name], every, pin()[name])
    assert said.startswith(f"{asked.name}: ")
    assert " in the state " in said


def test_formula_without_pinned_states_is_noticed():
    (first, *others), of = formulas("pulls"), pin()["pulls"]
    assert list(differing(BY_NAME["pulls"], others, of)) == [f"{first.name}: pinned, but no formula"]
    renamed = replace(first, name="another")
    assert "another: not pinned" in differing(BY_NAME["pulls"], [renamed, *others], of)


@pytest.mark.parametrize(
    ("name", "guarantee", "flag"),
    [
        ("registry", "listed", "others"),
        ("offsets-orderly", "one-batch", "present"),
        ("pulls", "one-request", "present"),
    ],
)
def test_claim_that_is_proved_without_a_conjunct_says_why(name, guarantee, flag):
    """The page gives the reason in a comment: the proof shows more, or no reachable state differs."""
    judge = Judge(BY_NAME[name])
    proved = [one for one in BY_NAME[name].claims if one.holds and one.guarantee.name == guarantee]
    for claim in proved:
        client = claim.subjects[0].name
        alike = [one for one in formulas(name) if one.name == f"{client} bad {guarantee}"]
        for formula in alike:
            wider = smt.substitute(formula.term, (Bool(flag), smt.BoolVal(True)))
            assert wider is not formula.term
            assert not possible([*judge.hypothesis(claim), wider])
    assert proved


@pytest.mark.parametrize("name", BY_NAME)
def test_update_of_every_ghost_is_a_formula(name):
    changed = {one.name.rpartition(" ")[2] for one in formulas(name) if one.sort == GHOST}
    assert {*ghosts(BY_NAME[name].configuration.machine.state)} <= changed | BY_OTHERS


def test_page_of_weakenings_is_up_to_date():
    assert page() == (ROOT / "docs" / "reference" / "weakenings.md").read_text(encoding="utf-8")
