"""Self-tests of the judgement of a claim: with one wrong part of a proof, the claim is not PROVED."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.mutation.result import Bite, MutationTest
from rebalance_proofs.proofs.prove import judge
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import MutantResult, ObligationResult
from rebalance_proofs.proofs.solvers import Answer, Outcome
from rebalance_proofs.proofs.vacuity.result import VacuityCheck


def _question(*outcomes: Outcome) -> Question:
    return Question("step", "", tuple(Answer(f"solver {number}", said, 0.0) for number, said in enumerate(outcomes)))


SAT, UNSAT = _question(Outcome.SAT, Outcome.SAT), _question(Outcome.UNSAT, Outcome.UNSAT)
UNDECIDED = _question(Outcome.UNSAT, Outcome.UNKNOWN)
APART = _question(Outcome.UNSAT, Outcome.SAT)
LOST = (UNDECIDED,)
"""The variants of a text that were not proved."""

TEETH = MutationTest(Bite.TEETH, "a wrong encoding", "", SAT, SAT)
WIDTH = VacuityCheck(("q beyond the bound",), {}, (), SAT, ())
STEP = ObligationResult("step", "It holds.", UNSAT, SAT, True, teeth=TEETH, width=WIDTH)
MUTANT = MutantResult("mutant", "It is wrong.", (SAT,), SAT)

STEPS: Mapping[str, ObligationResult] = {
    "a step that one solver does not prove": replace(STEP, proof=UNDECIDED),
    "a step about which the solvers contradict each other": replace(STEP, proof=APART),
    "premises about which the solvers contradict each other": replace(STEP, satisfiable=APART),
    "premises that cannot be met": replace(STEP, satisfiable=None),
    "a model that does not replay": replace(STEP, replays=False),
    "a proof that another wording loses": replace(STEP, unproved=LOST, variants=len(LOST)),
    "a false instance": replace(STEP, instances=replace(STEP.instances, false="x < x is false at x = 0")),
    "a step that notices nothing": replace(STEP, teeth=replace(TEETH, bite=Bite.NONE)),
    "a step that no wrong encoding breaks": replace(STEP, teeth=replace(TEETH, bite=Bite.WEAK)),
    "premises that exclude something": replace(STEP, width=replace(WIDTH, excluded={"i far above j": ""})),
    "premises of which something is not known": replace(STEP, width=replace(WIDTH, open=("i far above j",))),
}
"""What is wrong -> a proof's step with that one thing wrong."""
MUTANTS: Mapping[str, MutantResult] = {
    "a mutant for which every step is proved": replace(MUTANT, attempts=(UNSAT,)),
    "a mutant that breaks nothing": replace(MUTANT, violation=None),
}


def _against(step: ObligationResult, mutant: MutantResult) -> tuple[str, ...]:
    verdict, reason = judge((step,), None, (mutant,))
    return () if verdict is Verdict.PROVED else (f"{verdict}: {reason}",)


def trials() -> list[Trial]:
    """A self-test for each thing that can be wrong with a proof."""
    right = partial(_against, STEP, MUTANT)
    steps = [Trial(f"verdicts: {name}", right, partial(_against, step, MUTANT)) for name, step in STEPS.items()]
    return steps + [Trial(f"verdicts: {name}", right, partial(_against, STEP, one)) for name, one in MUTANTS.items()]
