"""Questions that a model answers: whether formulas can be true together."""

from collections.abc import Iterable, Mapping, Sequence

from rebalance_proofs.model.terms.smt import BoolTerm
from rebalance_proofs.proofs.models.evaluated import Evaluated, Model, NoValue
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.solvers import Answer, Outcome
from rebalance_proofs.proofs.solvers.pool import Pool

__all__ = ["can_be", "is_known"]

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
    """The question whether the formulas can be true together.

    A known model in which they are true answers it, and so does one that the first solver finds in one of the texts,
    each of which has numbers for some of the unknowns: a model that was evaluated needs no second opinion. All solvers
    are asked where formulas have no value here (they are about functions or arrays), and for the last text if no text
    has a model. A model in which the formulas are not true is that of a text with named products, and says nothing.
    """
    found = is_known(name, formulas, known)
    if found:
        return found
    for text, fixed in texts:
        first = await pool.ask(pool.solvers[0], text)
        answers: tuple[Answer, ...] = (first,)
        if first.outcome is Outcome.SAT:
            model = {**first.model, **fixed}
            true = _true(formulas, model)
            if true is None:
                return Question(name, text, await pool.ask_all(text))
            if true:
                known.learn(model)
                return Question(name, text, answers, model)
    return Question(name, text, await pool.ask_all(text))


def _true(formulas: Sequence[BoolTerm], model: Model) -> bool | None:
    """Whether the formulas are true in the model; None if they have no value here."""
    try:
        return Evaluated([model]).first(formulas) is not None
    except NoValue:
        return None
