"""Self-tests of the judgement of an enumeration: a run with one wrong finding must fail.

It must list a failure and must not end with status 0.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rebalance_proofs.evidence.self_tests.records import ONE, RUN, judged
from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.subject import subject
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.results import ClaimResult, Counterexample, Search
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.spark_enum.allocation.space import BEYOND, GROUPS, JOINS, SIZES, UNATTAINED
from rebalance_proofs.spark_enum.allocation.sweep import name_of
from rebalance_proofs.spark_enum.allocation.witness import smallest
from rebalance_proofs.spark_enum.results import Enumerated, Finding, Wrong
from rebalance_proofs.spark_enum.transition.space import PROMISES, SINGLES

(CLAIM,) = select(["allocation.avg.disjoint"])

RESULT = ClaimResult(CLAIM, CLAIM.expected, "")
FOUND = {kind: Finding(kind, CLAIM.id, ONE, ONE) for kind in (GROUPS, JOINS, SIZES, SINGLES, PROMISES)}
ENUMERATED = Enumerated("", "", (*FOUND.values(),))
RIGHT = replace(RUN, claims=(RESULT,), enumerated=ENUMERATED)


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
    return replace(RIGHT, enumerated=Enumerated("", "", (found,)))


def _finding(kind: str, **wrong: Any) -> Run:
    """Return a run whose finding of that kind has the field values ``wrong``."""
    changed = FOUND | {kind: replace(FOUND[kind], **wrong)}
    return replace(RIGHT, enumerated=replace(ENUMERATED, findings=(*changed.values(),)))


WRONG: Mapping[str, Run] = {
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
    "an unexpected finding is recorded": replace(RIGHT, enumerated=replace(ENUMERATED, unexpected=("something",))),
}
"""Name of a fault -> a run in which one finding has the fault."""


def trials() -> list[Trial]:
    """Return a self-test for each kind of finding."""
    return judged("findings", RIGHT, WRONG)
