"""Satisfiability is answered by an evaluated model, otherwise by all solvers."""

import asyncio

import pytest

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.operators import INT
from rebalance_proofs.proofs.models.ask import can_be
from rebalance_proofs.proofs.models.evaluated import Evaluated
from rebalance_proofs.proofs.solvers import Outcome
from tests.proofs.solvers.pools import Scripted, said

x, y = smt.Ints("x y")


def asked(answers, known=(), formulas=(x > y,), texts=(("a text", {}),)):
    """The question, with these answers of solvers to each text."""
    return asyncio.run(can_be("a question", formulas, texts, Scripted(answers), Evaluated(known)))


def test_known_model_answers_without_a_solver():
    found = asked([], [{"x": 0}, {"x": 5}, {"x": 6}])
    assert (found.outcome, found.model, found.text, found.answers) == (Outcome.SAT, {"x": 5}, "", ())
    assert found.satisfiable


def test_false_model_is_not_used():
    found = asked([["unsat", "unsat"]], [{"y": 5}])
    assert (found.outcome, found.model) == (Outcome.UNSAT, None)
    assert len(found.answers) == 2


def test_model_of_the_first_solver_is_enough():
    found = asked([[said("sat", x=3), "unknown"]])
    assert (found.outcome, found.model, found.text) == (Outcome.SAT, {"x": 3}, "a text")
    assert [answer.solver for answer in found.answers] == ["z3"]


def test_fixed_numbers_of_a_text_belong_to_its_model():
    found = asked([["unsat", "unsat"], [said("sat", y=3), "sat"]], texts=[("one", {"x": 2}), ("two", {"x": 4})])
    assert (found.text, found.model) == ("two", {"x": 4, "y": 3})


def test_spurious_model_is_inconclusive():
    found = asked([[said("sat", y=1), said("sat", y=1)]])
    assert (found.model, found.outcome, found.spurious, found.satisfiable) == (None, None, True, False)
    assert [answer.solver for answer in found.answers] == ["z3", "cvc5"]
    later = asked([[said("sat", y=1), "sat"], [said("sat", x=1), "sat"]], texts=[("one", {}), ("two", {})])
    assert (later.text, later.model) == ("two", {"x": 1})


@pytest.mark.parametrize("first", ["unknown", "timeout", "crash", said("sat", y=1)], ids=str)
def test_model_of_another_solver_is_used(first):
    found = asked([[first, said("sat", x=2)]])
    assert (found.outcome, found.model) == (Outcome.SAT, {"x": 2})
    assert [answer.solver for answer in found.answers] == ["z3", "cvc5"]


def test_numbers_of_any_size_are_evaluated():
    found = asked([[said("sat", x=2**70), "sat"]], formulas=[x * x > 2**139])
    assert (found.outcome, found.model) == (Outcome.SAT, {"x": 2**70})


def test_query_without_a_solver_answer_is_unknown():
    found = asked([["unknown", "timeout"]])
    assert (found.outcome, found.model, found.spurious) == (None, None, False)


def test_all_solvers_are_queried_if_formulas_have_no_value():
    unknown = [smt.Function("f", INT, INT)(x) > 0]
    found = asked([["sat", "unknown"]], [{"x": 5}], unknown)
    assert (found.outcome, found.model, found.spurious, found.satisfiable) == (None, None, False, True)
    assert [answer.solver for answer in found.answers] == ["z3", "cvc5"]
    both = asked([[said("sat", x=1), "sat"]], [], unknown, [("a text", {"y": 2})])
    assert both.outcome is Outcome.SAT
    assert both.answers[0].model == {"x": 1, "y": 2}


def test_contradicting_solvers_are_detected():
    assert asked([[said("sat", y=1), "unsat"]]).contradictory
