"""A run with claims of every kind, whose counterexamples are found without a solver."""

from dataclasses import replace

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.results import ClaimResult, Search
from rebalance_proofs.report.kinds import smallest
from rebalance_proofs.report.results.run import Run
from tests.report.runs import CONFORMANCE, ENUMERATED, SELF_TEST, WORK, with_cases, with_claim

ORDERED = "ordered.java_v5_2.exclusive.without-time"
SOME = (
    "allocation.avg.*",
    "allocation.hash.disjoint.without-same-cid-all",
    ORDERED,
    "ordered.*.exclusive",
    "offsets.java_v4_9.once",
    "pulls.java_v5_2_0.has-request.without-store",
    "settling.java_v4_9_to_v5_1.apart",
    "transition.java_v5_2.kept.push",
    "transition.node.unsubscribed-offset",
)


def run_of(*patterns: str) -> Run:
    """A run in which all these claims come out as expected, without a solver."""
    return Run(
        command="rebalance verify",
        started="2025-01-31T12:00:00+00:00",
        seconds=63.2,
        versions={"rebalance-proofs": "0.1.0"},
        options={"quick": True},
        claims=tuple(map(_result, select([*patterns]))),
        enumerated=replace(ENUMERATED, unexpected=()),
        self_tests=(SELF_TEST,),
        required=(WORK,),
    )


def green_run() -> Run:
    """A run of ``SOME``, with recorded results."""
    return replace(run_of(*SOME), conformance=CONFORMANCE, options={"quick": True, "timeout": 20.0})


def failing_run() -> Run:
    """The same run with all sorts of failures."""
    return replace(with_cases(with_claim(green_run(), Verdict.TIMEOUT), differing=2), self_tests=())


def _result(claim: Claim) -> ClaimResult:
    search = None
    if claim.expected is Verdict.REFUTED:
        search = Search((), smallest(claim), minimal=True, replays=True, limit=4)
    return ClaimResult(claim, claim.expected, "", search=search)
