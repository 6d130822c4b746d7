"""Self-tests of judging an enumeration: a wrong finding, a wrong record of an explored group, a contradicted claim."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.evidence.self_tests.verdicts import ONE, RUN, judged
from rebalance_proofs.model.subject import subject
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.results import ClaimResult, Counterexample, Search
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.spark_enum.allocation.space import BEYOND, GROUPS, JOINS, SIZES, UNATTAINED
from rebalance_proofs.spark_enum.allocation.sweep import name_of
from rebalance_proofs.spark_enum.allocation.witness import smallest
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.explorer.groups import Explores, gone_through
from rebalance_proofs.spark_enum.explorer.models.lock_lite import SUBJECT
from rebalance_proofs.spark_enum.explorer.recorded import Record, read
from rebalance_proofs.spark_enum.explorer.standard import QUICK, Standard
from rebalance_proofs.spark_enum.explorer.store import EXPLORED
from rebalance_proofs.spark_enum.jobs import findings as found_by
from rebalance_proofs.spark_enum.jobs import here
from rebalance_proofs.spark_enum.results import Enumerated, Finding, Wrong
from rebalance_proofs.spark_enum.transition.space import PROMISES, SINGLES
from rebalance_proofs.spark_enum.witness import compare

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


WRONG_FINDINGS: Mapping[str, Run] = {
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


def said_of(check: Check) -> tuple[str, ...]:
    """Run the check part by part in this process, and return the failures that a run would list for it."""
    (found,) = found_by([check], here([check]))
    return failures(found)


def findings() -> list[Trial]:
    """Return a self-test for each kind of finding."""
    return judged("findings", RIGHT, WRONG_FINDINGS)


SMALL = Standard(SUBJECT.name, SUBJECT.settings(queues=1), beside="ordered.java_v5_2.exclusive")
HOLDS = "ordered.java_v5_2.exclusive"


def _said(recorded: Record) -> Sequence[str]:
    check = Explores(SMALL, recorded).check()
    (found,) = found_by([check], here([check]))
    return failures(found)


def _against(broken: bool) -> Sequence[str]:
    """Return the reported contradictions of a claim.

    If ``broken``, the explored group reaches a state that the claim excludes.
    """
    group = next(one for one in QUICK if one.watches_for(HOLDS))
    watches = [name for name, watch in group.watches.items() if HOLDS in watch.claims]
    smallest = {name: Wrong((), (9,), "") for name in watches} if broken else {}
    states = read("quick")[group.name].states
    found = Finding(EXPLORED, group.name, states, states, broken=dict.fromkeys(watches, broken), smallest=smallest)
    return compare(select([HOLDS]), Enumerated("", "", (found,))).unexpected


def groups() -> list[Trial]:
    """Return a self-test for each number of a record, and one for a contradicted claim."""
    right, _ = gone_through(SMALL)
    wrong = {
        "the recorded number of states is wrong": replace(right, states=right.states + 1),
        "the recorded number of transitions is wrong": replace(right, transitions=right.transitions - 1),
        "the recorded states are wrong": replace(right, digest=f"{int(right.digest, 16) ^ 1:016x}"),
        "the record has a finding that never happens": replace(right, steps={"two": 4}),
    }
    found = [Trial(f"groups: {name}", partial(_said, right), partial(_said, one)) for name, one in wrong.items()]
    never = "groups: a group reaches a state that a proved claim excludes"
    return [*found, Trial(never, partial(_against, False), partial(_against, True))]
