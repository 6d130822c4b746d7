"""What can be true is answered by a model that was evaluated, else by all solvers."""

import asyncio

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.sorts import INT
from rebalance_proofs.proofs.models.ask import can_be
from rebalance_proofs.proofs.models.evaluated import Evaluated
from rebalance_proofs.proofs.solvers import Outcome
from tests.proofs.solvers.pools import Scripted, said

x, y = smt.Ints("x y")


def asked(answers, known=(), formulas=(x > y,), texts=(("a text", {}),)):
    """The question, with these answers of solvers to each text."""
    return asyncio.run(can_be("a question", formulas, texts, Scripted(answers), Evaluated(known)))


def test_a_known_model_answers_without_a_solver():
    found = asked([], [{"x": 0}, {"x": 5}, {"x": 6}])
    assert (found.outcome, found.model, found.text, found.answers) == (Outcome.SAT, {"x": 5}, "", ())


def test_numbers_that_are_no_model_are_not_believed():
    found = asked([["unsat", "unsat"]], [{"y": 5}])
    assert (found.outcome, found.model) == (Outcome.UNSAT, None)
    assert len(found.answers) == 2


def test_a_model_of_the_first_solver_needs_no_second_opinion():
    found = asked([[said("sat", x=3), "unknown"]])
    assert (found.outcome, found.model, found.text) == (Outcome.SAT, {"x": 3}, "a text")
    assert [answer.solver for answer in found.answers] == ["z3"]


def test_the_numbers_that_a_text_has_belong_to_its_model():
    found = asked([["unsat", "unsat"], [said("sat", y=3), "sat"]], texts=[("one", {"x": 2}), ("two", {"x": 4})])
    assert (found.text, found.model) == ("two", {"x": 4, "y": 3})


def test_a_spurious_model_says_nothing():
    found = asked([[said("sat", y=1), said("sat", y=1)]])
    assert found.model is None
    assert [answer.solver for answer in found.answers] == ["z3", "cvc5"]
    later = asked([[said("sat", y=1), "sat"], [said("sat", x=1), "sat"]], texts=[("one", {}), ("two", {})])
    assert (later.text, later.model) == ("two", {"x": 1})


def test_all_solvers_are_asked_where_formulas_have_no_value():
    found = asked([["sat", "unknown"]], [{"x": 5}], formulas=[smt.Function("f", INT, INT)(x) > 0])
    assert (found.outcome, found.model) == (None, None)
    assert [answer.solver for answer in found.answers] == ["z3", "cvc5"]


def test_solvers_that_contradict_each_other_are_seen():
    assert asked([[said("sat", y=1), "unsat"]]).contradictory
