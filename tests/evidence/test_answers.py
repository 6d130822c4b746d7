"""Answers that count: by that solver, to that obligation, for that mutant, and decided."""

from itertools import product
from types import SimpleNamespace

import pytest

from rebalance_proofs.evidence.required import reckoned
from rebalance_proofs.model.allocation import AVERAGELY
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.solvers import Answer, Outcome

(CLAIM,) = select(["allocation.avg.covers"])
MUTANT, OTHER = CLAIM.mutants[:2]
FIRST, SECOND = (step.name for step in CLAIM.obligations[:2])


def question(name: str, **said: Outcome):
    """A question and what solvers have said."""
    return SimpleNamespace(name=name, answers=tuple(Answer(solver, outcome, 0.0) for solver, outcome in said.items()))


def mutant(of, *attempts, violation=None, killed=True):
    """What was found of a mutant."""
    return SimpleNamespace(name=of.name, sentence=of.sentence, attempts=attempts, violation=violation, killed=killed)


def tried(solver: str, *found) -> int:
    return reckoned._tried(CLAIM, SimpleNamespace(mutants=found), MUTANT, solver)


@pytest.mark.parametrize("outcome", Outcome)
def test_obligation_is_tried_on_a_mutant_if_it_has_an_answer(outcome):
    known = outcome in (Outcome.SAT, Outcome.UNSAT)
    assert tried("z3", mutant(MUTANT, question(FIRST, z3=outcome))) == known
    assert tried("z3", mutant(MUTANT, question(FIRST, z3=outcome), question(SECOND, z3=Outcome.SAT))) == known + 1
    assert tried("cvc5", mutant(MUTANT, question(FIRST, z3=outcome))) == 0


def test_answers_about_another_mutant_or_obligation_do_not_count():
    assert tried("z3", mutant(OTHER, question(FIRST, z3=Outcome.SAT))) == 0
    assert tried("z3", mutant(MUTANT, question("another", z3=Outcome.SAT))) == 0
    assert tried("z3", mutant(OTHER, question(FIRST, z3=Outcome.SAT)), mutant(MUTANT, question(SECOND, z3=Outcome.SAT)))


def test_mutant_is_identified_by_name_and_sentence():
    same = mutant(MUTANT)
    assert reckoned._is(same, MUTANT)
    for changed in ({"name": "another"}, {"sentence": "another."}):
        assert not reckoned._is(SimpleNamespace(**vars(same) | changed), MUTANT)


@pytest.mark.parametrize(("outcome", "asked"), product(Outcome, ("z3", "cvc5")))
def test_required_answer_must_come_from_the_intended_solver(outcome, asked):
    said = question(FIRST, z3=outcome)
    sat, unsat = (asked == "z3" and outcome is wanted for wanted in (Outcome.SAT, Outcome.UNSAT))
    assert reckoned._wrong(mutant(MUTANT, violation=said), asked) is sat
    assert reckoned._refuted(SimpleNamespace(search=SimpleNamespace(questions=(question("x"), said))), asked) is sat
    step = SimpleNamespace(name=FIRST, proof=said)
    assert reckoned._proved(FIRST, SimpleNamespace(obligations=(step,)), asked) is unsat
    assert not reckoned._proved(SECOND, SimpleNamespace(obligations=(step,)), asked)


def test_missing_question_counts_as_missing_answer():
    assert not reckoned._wrong(mutant(MUTANT), "z3")
    assert not reckoned._refuted(SimpleNamespace(search=None), "z3")
    assert not reckoned._proved(FIRST, SimpleNamespace(obligations=()), "z3")


def test_pinned_mutants_are_those_of_the_claims():
    claims = select(["allocation.avg.*"])
    named = {claim.guarantee.name: reckoned.pinned_mutants(claim) for claim in claims}
    for one in AVERAGELY.mutants:
        assert [name for name, found in named.items() if one in found] == [
            claim.guarantee.name for claim in claims if one.breaks == claim.guarantee.name or one.name in claim.notices
        ]
