"""Hand-made parts of runs, and the ways in which a run can fail to be green."""

from collections.abc import Callable
from dataclasses import replace

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.recorded.files import Conformance, Disagreement, FileReport, Malformed
from rebalance_proofs.report.failures import Required, SelfTest
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.spark_enum.allocation.space import (
    AT_PLACE,
    BEYOND,
    ENUMERATOR,
    GROUPS,
    JOINS,
    NUMBER_SUM,
    POSITIONS,
    QUEUES,
    RESULTS,
    SIZES,
    SMALLEST,
    SOLVER,
    SOLVER_TIME,
    UNATTAINED,
)
from rebalance_proofs.spark_enum.results import Enumerated, Finding, Wrong
from rebalance_proofs.spark_enum.transition.space import ADMITTED, GONE, LETTERS, PROMISES

DEPENDENT = "allocation.avg.disjoint.without-same-cid-all"
OVERDUE = "transition.java_v5_2.kept.push"

SWEEP = Finding(
    kind=GROUPS,
    name="avg without-same-cid-all",
    subject="avg",
    setting="without-same-cid-all",
    bounds={"queues": 8, "consumers": 5},
    counted=1234,
    expected=1234,
    digest="00ff",
    broken={"disjoint": 900, "covers": 0},
    smallest={"disjoint": Wrong((2, 1), (0, 0, 1), "queue 0 is consumed by both c0 and c1.")},
    numbers={RESULTS: 5000, POSITIONS: 40000, NUMBER_SUM: 0, AT_PLACE: 0},
    seconds=1.5,
)
AT_SIZE = Finding(
    SIZES, DEPENDENT, 12, 12, bounds={"queues": 4, "consumers": 3}, numbers={SOLVER_TIME: 800_000}, seconds=0.8
)
BOTH = {SOLVER: Wrong((2, 1), (), ""), ENUMERATOR: Wrong((2, 1), (), "")}
LEAST = Finding(SMALLEST, DEPENDENT, 1, 1, bounds={"queues": 8, "consumers": 5}, smallest=BOTH)
NOT_LEAST = replace(LEAST, differing=1, smallest=BOTH | {ENUMERATOR: Wrong((1, 1), (), "")})
COST = {"consumers": 3, "queues": 8, "most": 5, "most_at": 3, "least": 2, "least_at": 1, "needed": 2}
JOINED = Finding(
    kind=JOINS,
    name="joins of avg",
    subject="avg",
    bounds={"queues": 8, "consumers": 3},
    counted=72,
    expected=72,
    digest="0a0b",
    broken={BEYOND: 0, UNATTAINED: 0},
    numbers={QUEUES: 324},
    details=(COST,),
    seconds=0.4,
)
ENUMERATED = Enumerated("4.0.1", "local[2]", (SWEEP, JOINED, AT_SIZE, LEAST))

ALPHABET = Finding(
    kind=LETTERS,
    name="letters of java_v5_2 push",
    subject="java_v5_2",
    setting="push",
    counted=1000,
    expected=1000,
    digest="20 30 40",
    numbers={"traces": 20, "behaviours": 30, "outcomes": 40},
)
CASES = Finding(
    kind="calls",
    name="java_v5_2 push, 2 queues, calls",
    subject="java_v5_2",
    setting="push",
    bounds={"queues": 2, "letters": 30},
    counted=900,
    expected=900,
    digest="0c0d",
    seconds=0.6,
)


PROMISED = Finding(
    kind=PROMISES,
    name=OVERDUE,
    subject="java_v5_2",
    bounds={"queues 1": 3, "queues 2": 2},
    counted=600,
    expected=600,
    broken={"push": 40, "push orderly": 38},
    smallest={
        "push": Wrong((1, 1), (), "queue 0 of T still belongs to this client, but its process queue is replaced.")
    },
    numbers={ADMITTED: 500, f"{GONE}, push": 600},
    seconds=0.3,
)

FILE = FileReport("avg.tsv", rows=10, checks=9, skipped={"strategy CONFIG is not modelled": 1})
DISAGREEMENT = Disagreement("avg.tsv", 7, "java", "q=3 c=2 index=0", "[0, 1]", "[0]")
CONFORMANCE = Conformance((FILE,))

SELF_TEST = SelfTest(
    "positions: the owner of a queue is wrong", True, "avg: concrete result and compiled term differ in 3 groups"
)
WORK = Required("avg: groups", 1234, 1234)

HOSTILE = "<script>alert('x')</script> | `tick` \x00\x1b"
"""The worst text that a solver or a file might contain."""


def with_claim(run: Run, verdict: Verdict, reason: str = "a solver gave up") -> Run:
    """The run with that verdict for its first claim."""
    first, *rest = run.claims
    return replace(run, claims=(replace(first, verdict=verdict, reason=reason), *rest))


def with_finding(run: Run, found: Finding, **changes) -> Run:
    """The run with a change in one of the findings of ``ENUMERATED``."""
    findings = tuple(replace(one, **changes) if one is found else one for one in ENUMERATED.findings)
    return replace(run, enumerated=replace(ENUMERATED, findings=findings))


def with_more(run: Run, *findings: Finding) -> Run:
    """The run with further findings."""
    return replace(run, enumerated=replace(ENUMERATED, findings=(*ENUMERATED.findings, *findings)))


def with_cases(run: Run, **changes) -> Run:
    """The run with an enumeration of transitions, and that result."""
    pull = replace(CASES, setting="pull", name="java_v5_2 pull, 2 queues, calls")
    bounds = {"queues": 1, "letters": 0}
    singles = replace(CASES, kind="singles", name="java_v5_2 push, 1 queue, singles", bounds=bounds)
    return with_more(run, ALPHABET, replace(CASES, **changes), pull, singles, PROMISED)


def with_file(run: Run, **changes) -> Run:
    """The run with a change in its file of recorded results."""
    return replace(run, conformance=Conformance((replace(FILE, **changes),)))


BROKEN: dict[str, Callable[[Run], Run]] = {
    "unknown": lambda run: with_claim(run, Verdict.UNKNOWN),
    "timeout": lambda run: with_claim(run, Verdict.TIMEOUT),
    "vacuous": lambda run: with_claim(run, Verdict.VACUOUS),
    "disagree": lambda run: with_claim(run, Verdict.DISAGREE),
    "refuted unexpectedly": lambda run: with_claim(run, Verdict.REFUTED),
    "hostile reason": lambda run: with_claim(run, Verdict.UNKNOWN, HOSTILE),
    "contradicted": lambda run: replace(run, claims=(replace(run.claims[0], contradictions=("no.",)), *run.claims[1:])),
    "groups missing": lambda run: with_finding(run, SWEEP, counted=1233),
    "mismatch": lambda run: with_finding(run, SWEEP, differing=2, first="q=3 c=2"),
    "differs at a size": lambda run: with_finding(run, AT_SIZE, differing=1, first="q=1"),
    "sizes missing": lambda run: with_finding(run, AT_SIZE, counted=11),
    "not the smallest": lambda run: with_finding(run, LEAST, differing=1, smallest=NOT_LEAST.smallest),
    "joins missing": lambda run: with_finding(run, JOINED, counted=71),
    "joins that cost something else": lambda run: with_finding(
        run, JOINED, differing=3, broken={BEYOND: 1, UNATTAINED: 2}
    ),
    "transitions missing": lambda run: with_cases(run, counted=899),
    "transitions that differ": lambda run: with_cases(run, differing=2, first="queue 0 is dropped"),
    "promise not run everywhere": lambda run: with_more(run, replace(PROMISED, counted=599)),
    "unexpected": lambda run: replace(run, enumerated=replace(ENUMERATED, unexpected=("avg: violated",))),
    "recorded otherwise": lambda run: with_file(run, disagreements=(DISAGREEMENT,)),
    "malformed row": lambda run: with_file(run, malformed=(Malformed("avg.tsv", 3, "not a number"),)),
    "less than pinned": lambda run: with_file(run, lacking=("holds 10 rows, and 11 are pinned",)),
    "nothing compared": lambda run: with_file(run, checks=0),
    "comparer that notices nothing": lambda run: replace(
        run, self_tests=(replace(SELF_TEST, noticed=False, said="-"),)
    ),
    "no comparer tried": lambda run: replace(run, self_tests=()),
    "required work is missing": lambda run: replace(run, required=(replace(WORK, found=1233),)),
    "work that was not reckoned": lambda run: replace(run, required=()),
    "nothing checked": lambda run: replace(run, claims=(), enumerated=None, conformance=None),
    "incomplete": lambda run: replace(run, unfinished="interrupted after 3 of 34 claims"),
}
