"""Self-tests of the last comparer: a run with one wrong record has to list a failure and not end with status 0."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.subject import subject
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.results import ClaimResult, Counterexample, Search
from rebalance_proofs.recorded.records import Conformance, Disagreement, FileReport, Malformed
from rebalance_proofs.report.evidence import Required, SelfTest
from rebalance_proofs.report.run import Run
from rebalance_proofs.spark_enum.allocation.kinds import BEYOND, GROUPS, JOINS, SIZES, UNATTAINED
from rebalance_proofs.spark_enum.allocation.sweep import name_of
from rebalance_proofs.spark_enum.allocation.witness import smallest
from rebalance_proofs.spark_enum.results import Enumerated, Finding, Wrong
from rebalance_proofs.spark_enum.transition.kinds import PROMISES, SINGLES

(CLAIM,) = select(["allocation.avg.disjoint"])

RESULT = ClaimResult(CLAIM, CLAIM.expected, "")
ONE = 1
"""How many there are of anything."""
FOUND = {kind: Finding(kind, CLAIM.id, ONE, ONE) for kind in (GROUPS, JOINS, SIZES, SINGLES, PROMISES)}
TEST = SelfTest("a comparer", True, "something is wrong")
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
    """A run with a claim for which both witnesses have found counterexamples, of these sizes."""
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
    """A run in which the finding of that kind has other fields."""
    changed = FOUND | {kind: replace(FOUND[kind], **wrong)}
    return replace(RUN, enumerated=replace(ENUMERATED, findings=(*changed.values(),)))


def _file(
    disagreements: tuple[Disagreement, ...] = (), malformed: tuple[Malformed, ...] = (), lacking: tuple[str, ...] = ()
) -> Run:
    changed = replace(FILE, disagreements=disagreements, malformed=malformed, lacking=lacking)
    return replace(RUN, conformance=Conformance((changed,)))


WRONG: Mapping[str, Run] = {
    "another verdict": replace(RUN, claims=(replace(RESULT, verdict=Verdict.UNKNOWN),)),
    "a contradiction": replace(RUN, claims=(replace(RESULT, contradictions=("no.",)),)),
    "a group too few": _finding(GROUPS, counted=0),
    "a group that differs": _finding(GROUPS, differing=1),
    "a join too few": _finding(JOINS, counted=0),
    "a join that costs something else": _finding(JOINS, differing=1),
    "a join beyond the bound": _finding(JOINS, broken={BEYOND: 1}),
    "a bound that is not reached": _finding(JOINS, broken={UNATTAINED: 1}),
    "a size that differs": _finding(SIZES, differing=1),
    "a size too few": _finding(SIZES, counted=0),
    "another smallest counterexample": _smallest((2, 1), (1, 1)),
    "a transition too few": _finding(SINGLES, counted=0),
    "a transition that differs": _finding(SINGLES, differing=1),
    "a case of a promise too few": _finding(PROMISES, counted=0),
    "something unexpected": replace(RUN, enumerated=replace(ENUMERATED, unexpected=("something",))),
    "a recorded result that differs": _file(disagreements=(Disagreement("avg.tsv", 1, "java", "a row", "0", "1"),)),
    "a row that cannot be read": _file(malformed=(Malformed("avg.tsv", 1, "not a number"),)),
    "a row that is missing": _file(lacking=("holds 1 rows, and 2 are pinned",)),
    "a self-test that is not noticed": replace(RUN, self_tests=(replace(TEST, noticed=False),)),
    "work that was not done": replace(RUN, required=(replace(WORK, found=0),)),
    "no count of the work": replace(RUN, required=()),
    "no self-test": replace(RUN, self_tests=()),
    "an early end": replace(RUN, unfinished="interrupted"),
}
"""What is wrong -> a run with that one wrong record."""


def _said(run: Run) -> tuple[str, ...]:
    """The run's failures; none if it counts as green all the same."""
    return () if run.green or run.exit_status == 0 else run.failures


def trials() -> list[Trial]:
    """A self-test for each kind of record."""
    return [Trial(f"records: {name}", partial(_said, RUN), partial(_said, run)) for name, run in WRONG.items()]
