"""Satisfiability queries that a model can answer: whether formulas can be true together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rebalance_proofs.model.terms.smt import BoolTerm
from rebalance_proofs.proofs.models.evaluated import Evaluated, Model, NoValue, true_in
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.solvers import Answer, Outcome
from rebalance_proofs.proofs.solvers.pool import Pool

Fixed = Mapping[str, int]
"""Values of the unknowns that a text has numbers for."""


def is_known(name: str, formulas: Sequence[BoolTerm], known: Evaluated) -> Question | None:
    """Return a query that a recorded model answers with sat.

    None if no recorded model satisfies the formulas.
    """
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
    """Ask whether the formulas can be true together.

    The recorded models are tried first, then the solvers.
    """
    return is_known(name, formulas, known) or await solvers_find(name, formulas, texts, pool, known)


async def solvers_find(
    name: str,
    formulas: Sequence[BoolTerm],
    texts: Iterable[tuple[str, Fixed]],
    pool: Pool,
    known: Evaluated,
) -> Question:
    """Ask the solvers whether the formulas can be true together.

    They are asked if no recorded model satisfies the formulas. Each text has numbers for some of the unknowns. A
    model that the first solver finds in one of the texts decides: a model that was evaluated needs no second opinion.
    If the first solver decides nothing, all solvers run. A model in which the formulas are false comes from a text
    with named products, and proves nothing. Formulas about functions or arrays cannot be evaluated, so that the
    solvers' own answer counts. If no text has a model, the answers to the last text are returned.
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
    """Return the first of the solvers' models in which the formulas are true.

    None if there is none.
    """
    told = (_with(answer, fixed) for answer in answers)
    models = (answer.model for answer in told if answer.outcome is Outcome.SAT)
    return next((model for model in models if true_in(model, formulas)), None)


def _with(answer: Answer, fixed: Fixed) -> Answer:
    return replace(answer, model={**answer.model, **fixed}) if answer.outcome is Outcome.SAT else answer
