"""Hand-made parts of runs, and the ways in which a run can fail to be green."""

from collections.abc import Callable
from dataclasses import replace

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.recorded import Conformance, Disagreement, FileReport, Malformed
from rebalance_proofs.report.evidence import Required, SelfTest
from rebalance_proofs.report.run import Run
from rebalance_proofs.spark_enum.movement_results import Cost, Movement
from rebalance_proofs.spark_enum.results import AtSize, Enumerated, Enumeration, Smallest, Violation
from rebalance_proofs.spark_enum.transition.results import Comparison, Letters, Promised, TransitionEnumerated

DEPENDENT = "allocation.avg.disjoint.without-same-cid-all"
OVERDUE = "transition.java_v5_2.kept.push"

SWEEP = Enumeration(
    world="same-cid-all",
    subject="avg",
    max_queues=8,
    max_consumers=5,
    groups=1234,
    expected_groups=1234,
    results=5000,
    positions=40000,
    digest="00ff",
    mismatches=0,
    first_mismatch="",
    violations={"disjoint": 900, "covers": 0},
    smallest={"disjoint": Violation(2, 1, (0, 0, 1), "queue 0 is consumed by both c0 and c1.")},
    seconds=1.5,
    dropped=True,
)
AT_SIZE = AtSize(DEPENDENT, 4, 3, sizes=12, disagreements=0, first_disagreement="", seconds=0.8)
SMALLEST = Smallest(DEPENDENT, solver=(2, 1), enumerator=(2, 1), max_queues=8, max_consumers=5)
COST = Cost(queues=8, consumers=3, most=5, most_at=3, least=2, least_at=1)
MOVEMENT = Movement(
    strategy="avg",
    max_queues=8,
    max_consumers=3,
    joins=72,
    expected_joins=72,
    queues=324,
    digest="0a0b",
    differing=0,
    beyond=0,
    unattained=0,
    costs=(COST,),
    seconds=0.4,
)
ENUMERATED = Enumerated(
    "4.0.1",
    "local[2]",
    enumerations=(SWEEP,),
    movements=(MOVEMENT,),
    at_size=(AT_SIZE,),
    smallest=(SMALLEST,),
)

LETTERS = Letters("java_v5_2", "push", cases=1000, traces=20, behaviours=30, outcomes=40)
CASES = Comparison(
    kind="calls",
    client="java_v5_2",
    mode="push",
    queues=2,
    letters=30,
    cases=900,
    expected_cases=900,
    digest="0c0d",
    mismatches=0,
    first_mismatch="",
    seconds=0.6,
)


PROMISED = Promised(
    claim=OVERDUE,
    depths=(3, 2),
    cases=500,
    complete=True,
    violations={"push": 40, "push orderly": 38},
    smallest=(1, 1),
    sentence="queue 0 of T stays this client's, and its entry is replaced.",
    seconds=0.3,
)

FILE = FileReport("avg.tsv", rows=10, checks=9, skipped={"strategy CONFIG is not modelled": 1})
DISAGREEMENT = Disagreement("avg.tsv", 7, "java", "q=3 c=2 index=0", "[0, 1]", "[0]")
CONFORMANCE = Conformance((FILE,))

SELF_TEST = SelfTest("positions: who owns a queue", True, "avg: concrete result and compiled term differ in 3 groups")
WORK = Required("avg: groups", 1234, 1234)

HOSTILE = "<script>alert('x')</script> | `tick` \x00\x1b"
"""What a solver or a file might say, at its worst."""


def with_claim(run: Run, verdict: Verdict, reason: str = "a solver gave up") -> Run:
    """The first claim comes out with that verdict."""
    first, *rest = run.claims
    return replace(run, claims=(replace(first, verdict=verdict, reason=reason), *rest))


def with_sweep(run: Run, **changes) -> Run:
    """The sweep comes out differently."""
    return replace(run, enumerated=replace(ENUMERATED, enumerations=(replace(SWEEP, **changes),)))


def with_cases(run: Run, **changes) -> Run:
    """An enumeration of transitions, which comes out so."""
    rows = (replace(CASES, **changes), replace(CASES, mode="pull"), replace(CASES, kind="singles", queues=1, letters=0))
    found = TransitionEnumerated((LETTERS,), rows)
    return replace(run, enumerated=replace(ENUMERATED, transitions=found, promised=(PROMISED,)))


def with_movement(run: Run, **changes) -> Run:
    """The joins come out differently."""
    return replace(run, enumerated=replace(ENUMERATED, movements=(replace(MOVEMENT, **changes),)))


def with_file(run: Run, **changes) -> Run:
    """The vector file comes out differently."""
    return replace(run, conformance=Conformance((replace(FILE, **changes),)))


BROKEN: dict[str, Callable[[Run], Run]] = {
    "unknown": lambda run: with_claim(run, Verdict.UNKNOWN),
    "timeout": lambda run: with_claim(run, Verdict.TIMEOUT),
    "vacuous": lambda run: with_claim(run, Verdict.VACUOUS),
    "disagree": lambda run: with_claim(run, Verdict.DISAGREE),
    "refuted unexpectedly": lambda run: with_claim(run, Verdict.REFUTED),
    "hostile reason": lambda run: with_claim(run, Verdict.UNKNOWN, HOSTILE),
    "contradicted": lambda run: replace(run, claims=(replace(run.claims[0], contradictions=("no.",)), *run.claims[1:])),
    "groups missing": lambda run: with_sweep(run, groups=1233),
    "mismatch": lambda run: with_sweep(run, mismatches=2, first_mismatch="q=3 c=2"),
    "differs at a size": lambda run: replace(
        run, enumerated=replace(ENUMERATED, at_size=(replace(AT_SIZE, disagreements=1, first_disagreement="q=1"),))
    ),
    "sizes missing": lambda run: replace(run, enumerated=replace(ENUMERATED, at_size=(replace(AT_SIZE, sizes=11),))),
    "not the smallest": lambda run: replace(
        run, enumerated=replace(ENUMERATED, smallest=(replace(SMALLEST, enumerator=(1, 1)),))
    ),
    "joins missing": lambda run: with_movement(run, joins=71),
    "joins that cost something else": lambda run: with_movement(run, differing=3, beyond=1, unattained=2),
    "transitions missing": lambda run: with_cases(run, cases=899),
    "transitions that differ": lambda run: with_cases(run, mismatches=2, first_mismatch="queue 0 is dropped"),
    "promise not run everywhere": lambda run: replace(
        run, enumerated=replace(ENUMERATED, promised=(replace(PROMISED, complete=False),))
    ),
    "unexpected": lambda run: replace(run, enumerated=replace(ENUMERATED, unexpected=("avg: violated",))),
    "recorded otherwise": lambda run: with_file(run, disagreements=(DISAGREEMENT,)),
    "malformed row": lambda run: with_file(run, malformed=(Malformed("avg.tsv", 3, "not a number"),)),
    "less than pinned": lambda run: with_file(run, lacking=("holds 10 rows, and 11 are pinned",)),
    "nothing compared": lambda run: with_file(run, checks=0),
    "comparer that notices nothing": lambda run: replace(
        run, self_tests=(replace(SELF_TEST, noticed=False, said="-"),)
    ),
    "no comparer tried": lambda run: replace(run, self_tests=()),
    "work that was not done": lambda run: replace(run, required=(replace(WORK, found=1233),)),
    "work that was not reckoned": lambda run: replace(run, required=()),
    "nothing checked": lambda run: replace(run, claims=(), enumerated=None, conformance=None),
    "incomplete": lambda run: replace(run, unfinished="interrupted after 3 of 34 claims"),
}
