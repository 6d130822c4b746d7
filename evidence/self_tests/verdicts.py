"""Self-tests of judging a claim: a proof with one wrong part, and numbers that make a formula false."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.smt import BoolTerm
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.models.ask import is_known
from rebalance_proofs.proofs.models.evaluated import Evaluated, Model
from rebalance_proofs.proofs.mutation.result import Bite, MutationTest
from rebalance_proofs.proofs.prove import judge
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import MutantResult, ObligationResult
from rebalance_proofs.proofs.solvers import Answer, Outcome
from rebalance_proofs.proofs.vacuity.goals import VacuityCheck


def _question(*outcomes: Outcome) -> Question:
    return Question("step", "", tuple(Answer(f"solver {number}", said, 0.0) for number, said in enumerate(outcomes)))


SAT, UNSAT = _question(Outcome.SAT, Outcome.SAT), _question(Outcome.UNSAT, Outcome.UNSAT)
UNDECIDED = _question(Outcome.UNSAT, Outcome.UNKNOWN)
APART = _question(Outcome.UNSAT, Outcome.SAT)
LOST = (UNDECIDED,)
"""Result of the reworded variants of a text: one that a solver left undecided."""

TEETH = MutationTest(Bite.TEETH, "a wrong encoding", "", SAT, SAT)
WIDTH = VacuityCheck(("q beyond the bound",), {}, (), SAT, ())
STEP = ObligationResult("step", "It holds.", UNSAT, SAT, True, teeth=TEETH, width=WIDTH)
MUTANT = MutantResult("mutant", "It is wrong.", (SAT,), SAT)

STEPS: Mapping[str, ObligationResult] = {
    "one solver does not prove a step": replace(STEP, proof=UNDECIDED),
    "the solvers contradict each other about a step": replace(STEP, proof=APART),
    "the solvers contradict each other about the assumptions": replace(STEP, satisfiable=APART),
    "the assumptions have no model": replace(STEP, satisfiable=None),
    "a model does not replay": replace(STEP, replays=False),
    "another wording loses the proof": replace(STEP, unproved=LOST, variants=len(LOST)),
    "a lemma instance is false": replace(STEP, instances=replace(STEP.instances, false="x < x is false at x = 0")),
    "no encoding breaks a step": replace(STEP, teeth=replace(TEETH, bite=Bite.NONE)),
    "no mutant breaks a step": replace(STEP, teeth=replace(TEETH, bite=Bite.WEAK)),
    "the assumptions exclude a case": replace(STEP, width=replace(WIDTH, excluded={"i far above j": ""})),
    "the assumptions leave a case undecided": replace(STEP, width=replace(WIDTH, open=("i far above j",))),
}
"""Name of a fault -> the result of an obligation with that one fault."""
MUTANTS: Mapping[str, MutantResult] = {
    "every step is proved for a mutant": replace(MUTANT, attempts=(UNSAT,)),
    "a mutant violates nothing": replace(MUTANT, violation=None),
}


def _against(step: ObligationResult, mutant: MutantResult) -> tuple[str, ...]:
    verdict, reason = judge((step,), None, (mutant,))
    return () if verdict is Verdict.PROVED else (f"{verdict}: {reason}",)


def verdicts() -> list[Trial]:
    """Return a self-test for each possible fault of a proof."""
    right = partial(_against, STEP, MUTANT)
    steps = [Trial(f"verdicts: {name}", right, partial(_against, step, MUTANT)) for name, step in STEPS.items()]
    return steps + [Trial(f"verdicts: {name}", right, partial(_against, STEP, one)) for name, one in MUTANTS.items()]


_X, _Y = smt.Ints("x y")
FORMULAS: dict[str, tuple[BoolTerm, Model, Model]] = {
    "a formula is false": (_X < _Y, {"x": 1, "y": 2}, {"x": 2, "y": 2}),
    "a choice is false": (smt.If(_X == _Y, _X, 7) > 6, {"x": 1, "y": 2}, {"x": 1, "y": 1}),
    "a quotient is wrong": (smt.And(_X / _Y == 3, _X % _Y == 1), {"x": -8, "y": -3}, {"x": -9, "y": -3}),
    "a negation is false": (smt.Not(smt.Implies(smt.Bool("x"), _Y >= 0)), {"x": 1, "y": -1}, {"x": 0, "y": -1}),
}
"""Name of a fault -> a formula, a model of it, and numbers that make it false."""


def _untrue(formulas: Sequence[BoolTerm], model: Model) -> Sequence[str]:
    if is_known("a question", formulas, Evaluated([model])):
        return ()
    at = ", ".join(f"{name} = {number}" for name, number in model.items())
    return (f"{' and '.join(map(str, formulas))} is not true at {at}",)


def evaluated() -> list[Trial]:
    """Return a self-test for each formula, and one for a second formula that is false."""
    found = [
        Trial(f"evaluated: {name}", partial(_untrue, [formula], right), partial(_untrue, [formula], wrong))
        for name, (formula, right, wrong) in FORMULAS.items()
    ]
    both = partial(_untrue, [_X > 0, _Y > 0])
    known = {"x": 1}
    return [
        *found,
        Trial(
            "evaluated: the second of two formulas is false",
            partial(both, known | {"y": known["x"]}),
            partial(both, known),
        ),
    ]
