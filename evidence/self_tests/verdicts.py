"""Self-tests of judging a claim: a proof with one wrong part, and numbers that make a formula false."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.machine.world import Premised
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import NO
from rebalance_proofs.model.terms.smt import BoolTerm
from rebalance_proofs.proofs.claim import EXISTS, Claim, Verdict
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.models.ask import is_known
from rebalance_proofs.proofs.models.evaluated import Evaluated, Model
from rebalance_proofs.proofs.mutation.result import Bite, MutationTest
from rebalance_proofs.proofs.prove import judge
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import ClaimResult, MutantResult, ObligationResult
from rebalance_proofs.proofs.solvers import Answer, Outcome
from rebalance_proofs.proofs.vacuity.goals import VacuityCheck
from rebalance_proofs.recorded.files import Conformance, Disagreement, FileReport, Malformed
from rebalance_proofs.report.failures import Required, SelfTest
from rebalance_proofs.report.results.run import Run

# Self-tests of the final judgement: a run with one wrong record must fail.
#
# It must list a failure and must not end with status 0.


# A claim of no kind: the judgement of a run reads only its id and its expected verdict.
NOTHING = Guarantee("sample", "nothing happens", "", always(), lambda situation: NO, lambda *observed: None)
CLAIM = Claim("records", (), NOTHING, Premised("sample", ()), True, "Nothing happens.", EXISTS, "", ())

RESULT = ClaimResult(CLAIM, CLAIM.expected, "")
ONE = 1
"""The number that every count has in the sample run."""
TEST = SelfTest("a comparer", True, "a fault is reported")
WORK = Required("some work", ONE, ONE)
FILE = FileReport("avg.tsv", ONE, ONE)

RUN = Run("", "", 0.0, {}, {}, (RESULT,), conformance=Conformance((FILE,)), self_tests=(TEST,), required=(WORK,))


def _file(
    disagreements: tuple[Disagreement, ...] = (), malformed: tuple[Malformed, ...] = (), lacking: tuple[str, ...] = ()
) -> Run:
    changed = replace(FILE, disagreements=disagreements, malformed=malformed, lacking=lacking)
    return replace(RUN, conformance=Conformance((changed,)))


WRONG: Mapping[str, Run] = {
    "the verdict is not the expected one": replace(RUN, claims=(replace(RESULT, verdict=Verdict.UNKNOWN),)),
    "a contradiction is recorded": replace(RUN, claims=(replace(RESULT, contradictions=("no.",)),)),
    "a recorded result differs": _file(disagreements=(Disagreement("avg.tsv", 1, "java", "a row", "0", "1"),)),
    "a row cannot be read": _file(malformed=(Malformed("avg.tsv", 1, "not a number"),)),
    "a row is missing": _file(lacking=("holds 1 rows, and 2 are pinned",)),
    "a self-test is not noticed": replace(RUN, self_tests=(replace(TEST, noticed=False),)),
    "required work is missing": replace(RUN, required=(replace(WORK, found=0),)),
    "the required work is not counted": replace(RUN, required=()),
    "self-tests are missing": replace(RUN, self_tests=()),
    "the run ended early": replace(RUN, unfinished="interrupted"),
}
"""Name of a fault -> a run in which one record has the fault."""


def _said(run: Run) -> tuple[str, ...]:
    """Return the failures that the run lists; none if it counts as successful nevertheless."""
    return () if run.green or run.exit_status == 0 else run.failures


def judged(name: str, right: Run, wrong: Mapping[str, Run]) -> list[Trial]:
    """Return a self-test for each wrong run; ``name`` is the first part of their names."""
    return [Trial(f"{name}: {fault}", partial(_said, right), partial(_said, run)) for fault, run in wrong.items()]


def trials() -> list[Trial]:
    """Return a self-test for each kind of record of a run."""
    return judged("records", RUN, WRONG)


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
