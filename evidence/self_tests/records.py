"""Self-tests of the final judgement: a run with one wrong record must fail.

It must list a failure and must not end with status 0.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.machine.world import Premised
from rebalance_proofs.model.terms.simplified import NO
from rebalance_proofs.proofs.claim import EXISTS, Claim, Verdict
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.files import Conformance, Disagreement, FileReport, Malformed
from rebalance_proofs.report.failures import Required, SelfTest
from rebalance_proofs.report.results.run import Run

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
