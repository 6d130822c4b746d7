"""A run with every part that results.json has, without a solver."""

from dataclasses import replace
from typing import Any

from rebalance_proofs.proofs.certified.found import Certified
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.mutation.result import Bite, MutationTest
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import ClaimResult, MutantResult, ObligationResult, Search
from rebalance_proofs.proofs.solvers.answer import Answer, Outcome
from rebalance_proofs.proofs.vacuity.goals import VacuityCheck
from rebalance_proofs.recorded.files import Conformance, Malformed
from rebalance_proofs.report.kinds import smallest
from rebalance_proofs.report.results.baseline import Baseline
from rebalance_proofs.report.results.run import Run
from tests.report.runs import DISAGREEMENT, ENUMERATED, FILE, SELF_TEST, WORK

ANSWERS = Answer("z3", Outcome.UNSAT, 0.5), Answer("cvc5", Outcome.SAT, 0.25, {"c": 2}, "it gave up")
ASKED = Question("disjoint.base", "", ANSWERS, {"q": 1})
TEETH = MutationTest(Bite.TEETH, "q is 1 more", "", ASKED, ASKED)
WIDTH = VacuityCheck(("q is large",), {"c is 0": "it has none"}, ("c is large",), ASKED, ({"q": 9},))
STEP = ObligationResult(
    "disjoint.base", "No queue has two owners.", ASKED, ASKED, True, (ASKED,), 3, teeth=TEETH, width=WIDTH
)
MUTANT = MutantResult("swapped", "Two queues are swapped.", (ASKED,), ASKED)
REFUTED = (
    "allocation.hash.disjoint.without-same-cid-all",
    "transition.node.unsubscribed-offset",
    "growth.avg.steady",
    "offsets.java_v4_9.once",
)
CERTIFIED = Certified({"a": {"base": "1", "step": "2"}}, {"x": "1"}, 2, 1)


def run() -> tuple[Any, ...]:
    """A run that has failures of all kinds, and a baseline."""
    proved = LEDGER.named("allocation.circle.disjoint")
    first = ClaimResult(proved, Verdict.PROVED, "it holds", (STEP,), (MUTANT,), contradictions=("c0 has none.",))
    conformance = Conformance(
        (replace(FILE, disagreements=(DISAGREEMENT,), malformed=(Malformed("avg.tsv", 3, "x"),)),)
    )
    return (
        Run(
            "rebalance verify",
            "2025-01-31T12:00:00+00:00",
            63.2,
            {"z3": "4.13.4"},
            {"quick": True},
            (first, *map(_refuted, REFUTED)),
            replace(ENUMERATED, unexpected=("avg: violated",)),
            conformance,
            (SELF_TEST,),
            (WORK,),
            ("no certificate was checked",),
            CERTIFIED,
            baseline=Baseline("old.json", "00ff" * 16, "2025-01-30T12:00:00+00:00", "rebalance verify"),
        ),
    )


def green() -> tuple[Any, ...]:
    """A run without a failure and without a baseline."""
    ((found,),) = (run(),)
    claims = (replace(found.claims[0], contradictions=()),)
    return (replace(found, claims=claims, enumerated=ENUMERATED, conformance=Conformance((FILE,)), baseline=None),)


def _refuted(name: str) -> ClaimResult:
    claim = LEDGER.named(name)
    return ClaimResult(claim, Verdict.REFUTED, "", search=Search((ASKED,), smallest(claim), True, True, 4))
