"""The last comparer of all: a run with one wrong record has to list a failure and not end with status 0."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded import Conformance, Disagreement, FileReport, Malformed
from rebalance_proofs.report.evidence import Required, SelfTest
from rebalance_proofs.report.run import Run
from rebalance_proofs.spark_enum.movement_results import Movement
from rebalance_proofs.spark_enum.results import AtSize, Enumerated, Enumeration, Smallest
from rebalance_proofs.spark_enum.transition.results import SINGLES, Comparison, Promised, TransitionEnumerated

CLAIM = LEDGER[0]

RESULT = ClaimResult(CLAIM, CLAIM.expected, "")
SWEEP = Enumeration("agreed", "avg", 1, 1, 1, 1, 1, 3, "00", 0, "", {}, {}, 0.0)
MOVEMENT = Movement("avg", 1, 1, 2, 2, 2, "00", 0, 0, 0, (), 0.0)
AT_SIZE = AtSize(CLAIM.id, 1, 1, 1, 0, "", 0.0)
SMALLEST = Smallest(CLAIM.id, (1, 1), (1, 1), 1, 1)
COMPARISON = Comparison(SINGLES, "node", "", 1, 0, 1, 1, "00", 0, "", 0.0)
PROMISED = Promised(CLAIM.id, (1,), 1, True, {}, None, "", 0.0)
FILE = FileReport("avg.tsv", 1, 1)
TEST = SelfTest("a comparer", True, "something is wrong")
WORK = Required("some work", 1, 1)

RUN = Run(
    "", "", 0.0, {}, {}, (RESULT,), Enumerated("", ""), Conformance((FILE,)), self_tests=(TEST,), required=(WORK,)
)


def _enumerated(**parts) -> Run:
    return replace(RUN, enumerated=Enumerated("", "", **parts))


def _transitions(row: Comparison) -> Run:
    return _enumerated(transitions=TransitionEnumerated(comparisons=(row,)))


def _file(**parts) -> Run:
    return replace(RUN, conformance=Conformance((replace(FILE, **parts),)))


WRONG: Mapping[str, Run] = {
    "another verdict": replace(RUN, claims=(replace(RESULT, verdict=Verdict.UNKNOWN),)),
    "a contradiction": replace(RUN, claims=(replace(RESULT, contradictions=("no.",)),)),
    "a group too few": _enumerated(enumerations=(replace(SWEEP, groups=0),)),
    "a group that differs": _enumerated(enumerations=(replace(SWEEP, mismatches=1),)),
    "a join too few": _enumerated(movements=(replace(MOVEMENT, joins=1),)),
    "a join that costs something else": _enumerated(movements=(replace(MOVEMENT, differing=1),)),
    "a join beyond the bound": _enumerated(movements=(replace(MOVEMENT, beyond=1),)),
    "a bound that is not reached": _enumerated(movements=(replace(MOVEMENT, unattained=1),)),
    "a size that differs": _enumerated(at_size=(replace(AT_SIZE, disagreements=1),)),
    "a size too few": _enumerated(at_size=(replace(AT_SIZE, sizes=0),)),
    "another smallest counterexample": _enumerated(smallest=(replace(SMALLEST, solver=(2, 1), max_consumers=2),)),
    "a transition too few": _transitions(replace(COMPARISON, cases=0)),
    "a transition that differs": _transitions(replace(COMPARISON, mismatches=1)),
    "a case of a promise too few": _enumerated(promised=(replace(PROMISED, complete=False),)),
    "something unexpected": _enumerated(unexpected=("something",)),
    "a recorded result that differs": _file(disagreements=(Disagreement("avg.tsv", 1, "java", "a row", "0", "1"),)),
    "a row that cannot be read": _file(malformed=(Malformed("avg.tsv", 1, "not a number"),)),
    "a row that is missing": _file(lacking=("holds 1 rows, and 2 are pinned",)),
    "a self-test that is not noticed": replace(RUN, self_tests=(replace(TEST, noticed=False),)),
    "work that was not done": replace(RUN, required=(replace(WORK, found=0),)),
    "no count of the work": replace(RUN, required=()),
    "no self-test": replace(RUN, self_tests=()),
    "an early end": replace(RUN, unfinished="interrupted"),
}
"""Runs with one wrong record each."""


def _said(run: Run) -> tuple[str, ...]:
    """The run's failures; nothing where it passes for green all the same."""
    return () if run.green or run.exit_status == 0 else run.failures


def trials() -> list[Trial]:
    """One for each kind of record."""
    return [Trial(f"records: {name}", partial(_said, RUN), partial(_said, run)) for name, run in WRONG.items()]
