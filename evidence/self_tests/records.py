"""Self-tests of the final judgement: a run with one wrong record must fail.

It must list a failure and must not end with status 0.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.subject import subject
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.results import ClaimResult, Counterexample, Search
from rebalance_proofs.recorded.files import Conformance, Disagreement, FileReport, Malformed
from rebalance_proofs.report.evidence import Required, SelfTest
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.spark_enum.allocation.kinds import BEYOND, GROUPS, JOINS, SIZES, UNATTAINED
from rebalance_proofs.spark_enum.allocation.sweep import name_of
from rebalance_proofs.spark_enum.allocation.witness import smallest
from rebalance_proofs.spark_enum.results import Enumerated, Finding, Wrong
from rebalance_proofs.spark_enum.transition.kinds import PROMISES, SINGLES

(CLAIM,) = select(["allocation.avg.disjoint"])

RESULT = ClaimResult(CLAIM, CLAIM.expected, "")
ONE = 1
"""The number that every count has in the sample run."""
FOUND = {kind: Finding(kind, CLAIM.id, ONE, ONE) for kind in (GROUPS, JOINS, SIZES, SINGLES, PROMISES)}
TEST = SelfTest("a comparer", True, "a fault is reported")
WORK = Required("some work", ONE, ONE)
FILE = FileReport("avg.tsv", ONE, ONE)

ENUMERATED = Enumerated("", "", (*FOUND.values(),))

RUN = Run(
    "",
    "",
    0.0,
    {},
    {},
    (RESULT,),
    ENUMERATED,
    Conformance((FILE,)),
    self_tests=(TEST,),
    required=(WORK,),
)


def _smallest(solver: tuple[int, int], enumerator: tuple[int, int]) -> Run:
    """Return a run with one claim, and the sizes of its counterexamples.

    One size is by the solver, one by the enumerator.
    """
    consumers, queues = solver
    search = Search((), Counterexample(consumers, queues, (), None, ""), True, True, consumers)
    broken = {CLAIM.guarantee.name: Wrong(enumerator, (), "")}
    name = name_of(subject(CLAIM.subjects), CLAIM.world)
    bounds = {"consumers": consumers, "queues": queues}
    swept = replace(FOUND[GROUPS], name=name, bounds=bounds, smallest=broken)
    found = smallest(CLAIM, Enumerated("", "", (swept,)), replace(RESULT, search=search))
    assert found is not None
    return replace(RUN, enumerated=Enumerated("", "", (found,)))


def _finding(kind: str, **wrong: Any) -> Run:
    """Return a run whose finding of that kind has the field values ``wrong``."""
    changed = FOUND | {kind: replace(FOUND[kind], **wrong)}
    return replace(RUN, enumerated=replace(ENUMERATED, findings=(*changed.values(),)))


def _file(
    disagreements: tuple[Disagreement, ...] = (), malformed: tuple[Malformed, ...] = (), lacking: tuple[str, ...] = ()
) -> Run:
    changed = replace(FILE, disagreements=disagreements, malformed=malformed, lacking=lacking)
    return replace(RUN, conformance=Conformance((changed,)))


WRONG: Mapping[str, Run] = {
    "the verdict is not the expected one": replace(RUN, claims=(replace(RESULT, verdict=Verdict.UNKNOWN),)),
    "a contradiction is recorded": replace(RUN, claims=(replace(RESULT, contradictions=("no.",)),)),
    "a group is missing": _finding(GROUPS, counted=0),
    "a group differs": _finding(GROUPS, differing=1),
    "a join is missing": _finding(JOINS, counted=0),
    "a join moves an unexpected number of queues": _finding(JOINS, differing=1),
    "a join exceeds the bound": _finding(JOINS, broken={BEYOND: 1}),
    "a bound is never reached": _finding(JOINS, broken={UNATTAINED: 1}),
    "a size differs": _finding(SIZES, differing=1),
    "a size is missing": _finding(SIZES, counted=0),
    "the smallest counterexamples differ": _smallest((2, 1), (1, 1)),
    "a transition is missing": _finding(SINGLES, counted=0),
    "a transition differs": _finding(SINGLES, differing=1),
    "a case of a claim about transitions is missing": _finding(PROMISES, counted=0),
    "an unexpected finding is recorded": replace(RUN, enumerated=replace(ENUMERATED, unexpected=("something",))),
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


def trials() -> list[Trial]:
    """Return a self-test for each kind of record of a run."""
    return [Trial(f"records: {name}", partial(_said, RUN), partial(_said, run)) for name, run in WRONG.items()]
