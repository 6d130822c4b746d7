"""Questions that a model answers: whether formulas can be true together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rebalance_proofs.model.terms.smt import BoolTerm
from rebalance_proofs.proofs.models.evaluated import Evaluated, Model, NoValue, true_in
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.solvers import Answer, Outcome
from rebalance_proofs.proofs.solvers.pool import Pool

__all__ = ["can_be", "is_known", "solvers_find"]

Fixed = Mapping[str, int]
"""Unknowns that a text has numbers for."""


def is_known(name: str, formulas: Sequence[BoolTerm], known: Evaluated) -> Question | None:
    """The question whether the formulas can be true together, if a known model says so; None if none does."""
    try:
        model = known.first(formulas)
    except NoValue:
        return None
    return None if model is None else Question(name, "", (), model)


async def can_be(
    name: str,
    formulas: Sequence[BoolTerm],
    texts: Iterable[tuple[str, Fixed]],
    pool: Pool,
    known: Evaluated,
) -> Question:
    """The question whether the formulas can be true together: by a known model, or else as ``solvers_find`` says."""
    return is_known(name, formulas, known) or await solvers_find(name, formulas, texts, pool, known)


async def solvers_find(
    name: str,
    formulas: Sequence[BoolTerm],
    texts: Iterable[tuple[str, Fixed]],
    pool: Pool,
    known: Evaluated,
) -> Question:
    """The question whether the formulas can be true together, where no known model says so.

    A model that the first solver finds in one of the texts, each of which has numbers for some of the unknowns, answers
    it: a model that was evaluated needs no second opinion. Where the first solver's answer decides nothing, all are
    asked. A model in which the formulas are not true is that of a text with named products, and says nothing. Where the
    formulas have no value (they are about functions or arrays), the solvers' word counts. The answers to the last text
    are returned if no text has a model.
    """
    for text, fixed in texts:
        answers: tuple[Answer, ...] = (await pool.ask(pool.solvers[0], text),)
        if answers[0].outcome is Outcome.UNSAT:
            continue
        model = _true(formulas, answers, fixed)
        if model is None:
            answers = await pool.ask_all(text)
            model = _true(formulas, answers, fixed)
        if model is not None:
            known.learn(model)
            return Question(name, text, answers, model)
        told = tuple(_with(answer, fixed) for answer in answers)
        if any(answer.outcome is Outcome.SAT and true_in(answer.model, formulas) is None for answer in told):
            return Question(name, text, told)
    answers = await pool.ask_all(text)
    return Question(name, text, answers, spurious=any(answer.outcome is Outcome.SAT for answer in answers))


def _true(formulas: Sequence[BoolTerm], answers: Iterable[Answer], fixed: Fixed) -> Model | None:
    """The first of the solvers' models in which the formulas are true; None if there is none."""
    told = (_with(answer, fixed) for answer in answers)
    models = (answer.model for answer in told if answer.outcome is Outcome.SAT)
    return next((model for model in models if true_in(model, formulas)), None)


def _with(answer: Answer, fixed: Fixed) -> Answer:
    return replace(answer, model={**answer.model, **fixed}) if answer.outcome is Outcome.SAT else answer
