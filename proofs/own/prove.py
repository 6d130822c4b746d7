"""Proof of guarantees of user-defined code for all sizes, by both solvers."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import TimeoutError as OutOfTime
from typing import NamedTuple

from pebble import ProcessExpired, ProcessPool

from rebalance_proofs.model.own.named import Named
from rebalance_proofs.model.own.surroundings import drop
from rebalance_proofs.proofs.own.prepared import GUARANTEES, Prepared, Text, prepared
from rebalance_proofs.proofs.own.proof import Proof
from rebalance_proofs.proofs.own.steps import written
from rebalance_proofs.proofs.own.teeth import Teeth
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.proofs.solvers.pool import Pool, Spawning

__all__ = ["GUARANTEES", "prove_own"]

READING = 60.0
"""CPU seconds for loading the code, running it on symbolic lists, and writing the texts."""

MAYBE = ": it may fail in a larger group than those that were tried, or the text lacks a fact"
Answered = Callable[[int, int], tuple[tuple[int, ...], ...]]
"""``answered(q, c)``: return the positions that each consumer gets when the code runs."""


class _Step(NamedTuple):
    """One obligation that the solvers checked, and whether its mutation test succeeds."""

    question: Question
    bites: bool


def prove_own(
    named: Named,
    answered: Answered,
    owner: str = "",
    jobs: int = 2,
    seconds: float = 20.0,
    passed: tuple[str, ...] = (),
) -> list[Proof]:
    """Try to prove all ``GUARANTEES`` of the named function; return one result for each.

    All depend on the first one, that the terms describe the code. ``answered`` runs the code. ``owner`` is a formula
    that the user wrote, ``jobs`` the number of processes, ``seconds`` the time limit of a query,
    ``passed`` further variables of the environment for the code. Raises ``UsageError`` for an ``owner`` that is no
    valid formula.
    """
    if owner:
        written(owner)
    made = _prepared(named, owner, passed)
    different = _different(made, answered)
    if different:
        return [Proof(name, False, different) for name in GUARANTEES]
    asked = asyncio.run(_asked(made, jobs, seconds))
    proofs = {name: _proof(name, made, asked.get(name, ())) for name in GUARANTEES}
    sound = proofs["returns"]
    return [
        proof if sound.proved or not proof.proved else Proof(name, False, f"it depends on returns: {sound.reason}")
        for name, proof in proofs.items()
    ]


def _alone(named: Named, owner: str, passed: tuple[str, ...]) -> Prepared:
    """Return the proof's texts, in a process of its own that runs the user's code."""
    drop(passed)
    return prepared(named, owner)


def _prepared(named: Named, owner: str, passed: tuple[str, ...]) -> Prepared:
    with ProcessPool(max_workers=1, context=Spawning()) as pool:
        try:
            made: Prepared = pool.schedule(_alone, args=(named, owner, passed), timeout=READING).result()
        except OutOfTime:
            why = f"analysing the code took more than {READING:g} s"
        except ProcessExpired as error:
            why = f"analysing the code ended its process (exit code {error.exitcode})"
        except Exception as error:
            why = f"analysing the code failed: {type(error).__name__}: {' '.join(str(error).split())[:200]}"
        else:
            return made
    return Prepared(untold=dict.fromkeys(GUARANTEES, why))


def _different(made: Prepared, answered: Answered) -> str:
    """Describe the first size at which the code's terms and its results differ.

    Empty if they agree at every size compared.
    """
    for (q, c), said in made.results.items():
        really = answered(q, c)
        if said != really:
            return f"terms and code differ at q = {q}, c = {c}: the terms give {said}, the code {really}"
    return ""


async def _asked(made: Prepared, jobs: int, seconds: float) -> Mapping[str, tuple[_Step, ...]]:
    async with Pool(("z3", "cvc5"), jobs, seconds) as pool:

        async def one(text: Text) -> _Step:
            found = Question(text.name, text.text, await pool.ask_all(text.text))
            return _Step(found, found.outcome is not Outcome.UNSAT or await _bites(text.teeth, pool))

        found = {}
        for name, asked in made.texts.items():
            found[name] = tuple(await asyncio.gather(*map(one, asked)))
        return found


async def _bites(teeth: Teeth, pool: Pool) -> bool:
    """Return whether the obligation passes its mutation test: a mutant breaks it.

    An obligation also passes if no consumer takes its path, or if it is exempted.
    """
    if not teeth.noticed or (await pool.ask("z3", teeth.noticed)).outcome is Outcome.SAT:
        return True
    if all(answer.outcome is Outcome.UNSAT for answer in await pool.ask_all(teeth.nobody)):
        return True
    return (await pool.ask("z3", teeth.beyond)).outcome is Outcome.SAT


def _proof(name: str, made: Prepared, steps: tuple[_Step, ...]) -> Proof:
    if name in made.untold:
        return Proof(name, False, made.untold[name])
    questions = tuple(step.question for step in steps)
    open_ = [question for question in questions if question.outcome is not Outcome.UNSAT]
    if not questions:
        return Proof(name, False, "there is nothing to prove")
    if open_:
        answers = open_[0].answers
        said = ", ".join(f"{answer.solver} {answer.outcome}" for answer in answers)
        maybe = MAYBE if any(answer.outcome is Outcome.SAT for answer in answers) else ""
        return Proof(name, False, f"no proof of {open_[0].name} ({said}){maybe}", questions)
    if toothless := [step.question.name for step in steps if not step.bites]:
        return Proof(name, False, f"VACUOUS: no mutant was found that breaks {toothless[0]}", questions)
    return Proof(name, True, f"owner: {made.owner}" if name == "covers" else "", questions, made.code, made.constants)
