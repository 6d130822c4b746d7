"""A run with every part that results.json has, without a solver."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rebalance_proofs.proofs.certified.found import Certified, digest
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.mutation.result import Bite, MutationTest
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import ClaimResult, MutantResult, ObligationResult, Search
from rebalance_proofs.proofs.solvers.answer import Answer, Outcome
from rebalance_proofs.proofs.vacuity.goals import VacuityCheck
from rebalance_proofs.recorded.files import Conformance, Malformed
from rebalance_proofs.report.kinds import smallest
from rebalance_proofs.report.results.baseline import Baseline, Judged
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
OVER_TIME = {
    "ordered": ("ordered.java_v5_2.exclusive.without-overtaken", "ordered.java_v4_9.given-back.without-pending"),
    "pulls": ("pulls.java_v5_3_0.one-request.without-connection", "pulls.java_v5_3_3.has-request.without-store"),
    "settling": (
        "settling.java_v4_9_to_v5_1.woken.without-timely",
        "settling.java_v4_9_to_v5_1.waits.without-interrupt",
    ),
    "registry": ("registry.java_v4_9_to_v5_3.listed.without-restart", "registry.java_v4_9_to_v5_3.again.without-alone"),
    "subscriptions": (
        "subscriptions.java_v4_9_to_v5_3.accepted-soon.without-free",
        "subscriptions.java_v4_9.first-pull",
    ),
    "offsets": ("offsets.java_v5.never-back", "offsets.java_v5.once"),
    "transition": ("transition.java_v5_0.returns.own-store", "transition.node.unsubscribed-offset"),
    "joins": ("joins.avg.once", "joins.avg.no-return"),
    "movement": ("movement.avg.monotone", "movement.circle.monotone"),
    "receiving": ("receiving.java.unsubscribed", "receiving.csharp.unsubscribed"),
}
"""Kind -> claims whose counterexamples have actions, rounds, or several states."""
UNSATISFIABLE = Question("disjoint.base", "", tuple(replace(one, outcome=Outcome.UNSAT) for one in ANSWERS))
TEXTS = {"base": "1", "step": "2"}
CERTIFIED = Certified({"allocation.circle.disjoint": TEXTS}, {digest("1"): "1"}, 2, {digest("1")})
LACKING = Certified(
    {"allocation.circle.disjoint": TEXTS},
    {digest(text): text for text in TEXTS.values()},
    2,
    {digest("1")},
    {digest("2"): "cvc5 was ended"},
)


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
    claims = (replace(found.claims[0], obligations=(replace(STEP, proof=UNSATISFIABLE),), contradictions=()),)
    return (replace(found, claims=claims, enumerated=ENUMERATED, conformance=Conformance((FILE,)), baseline=None),)


def over_time(names: Sequence[str]) -> tuple[Any, ...]:
    """A run of refuted claims, with an obligation that is not certified, and all differences from a baseline."""
    ((found,),) = (run(),)
    claims = (found.claims[0], *map(_refuted, names))
    then = {
        claims[0].claim.id: Judged("PROVED", "PROVED", True),
        claims[1].claim.id: Judged("PROVED", "PROVED", False),
        REFUTED[0]: Judged("REFUTED", "REFUTED", False),
    }
    assert found.baseline
    return (replace(found, claims=claims, certified=LACKING, baseline=replace(found.baseline, claims=then)),)


def _refuted(name: str) -> ClaimResult:
    claim = LEDGER.named(name)
    return ClaimResult(claim, Verdict.REFUTED, "", search=Search((ASKED,), smallest(claim), True, True, 4))


def hides(queue: int) -> tuple[Any, ...]:
    """A run with a group of which one consumer no longer lists a queue, which it had alone."""
    ((found,),) = (run(),)
    claim = _refuted("growth.avg.steady")
    assert claim.search
    assert claim.search.counterexample
    example = claim.search.counterexample
    mine, *_ = example.group.reference.consumers
    queues = example.group.queues[:2]
    before = replace(example.group.reference, queues=queues, consumers=(replace(mine, mq_all=queues, cid_all=("c0",)),))
    after = replace(before, consumers=(replace(before.consumers[0], mq_all=(queues[1 - queue],)),), reference=before)
    search = replace(claim.search, counterexample=replace(example, group=after))
    return (replace(found, claims=(replace(claim, search=search),)),)
