"""At each size, solver and code have to agree; any other answer of the solver is a failure."""

from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.proofs.allocation.claims import GUARANTEES, promise
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome
from rebalance_proofs.spark_enum.allocation.space import SOLVER_TIME
from rebalance_proofs.spark_enum.allocation.sweep import at_size, compare
from rebalance_proofs.spark_enum.jobs import findings, run
from tests.each import each
from tests.proofs.mutants import all_mutants, mutated
from tests.proofs.own_strategies import CHOSEN
from tests.proofs.some import SOME

GUARANTEE = {guarantee.name: guarantee for guarantee in GUARANTEES}
(DISJOINT,) = select(["allocation.avg.disjoint"])
(WITHOUT,) = select(["allocation.avg.disjoint.without-distinct-ids"])


ASKED = [claim for claim in LEDGER if claim.kind == "allocation" and not claim.world.sized]
"""In a case with unknowns for each queue every group is compared with the formulas themselves."""


def differences(claim: Claim, n: int, max_queues: int) -> list[str]:
    """Everything in which both sides differ."""
    said: list[str] = []
    compare(claim, n, max_queues, keep=lambda differs, **rest: said.extend(filter(None, differs)))
    return said


MUTATED = {name: mutated(*pair) for name, pair in all_mutants(*STRATEGIES).items()}


@pytest.mark.parametrize(
    "claim",
    [pytest.param(claim, id=claim.id, marks=[] if claim in SOME else [pytest.mark.slow]) for claim in ASKED],
)
def test_solver_and_code_agree_at_every_size(claim: Claim) -> None:
    for n in (1, 2, 3):
        found = compare(claim, n, 4)
        assert (found.counted, found.differing) == (4, 0)
        assert found.numbers[SOLVER_TIME] > 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_each_solver_can_be_used(solver: str) -> None:
    for claim in (DISJOINT, WITHOUT):
        found = compare(claim, 3, 3, solver)
        assert (found.counted, found.first) == (3, None)


@each(
    "claim",
    [pytest.param(claim, id=name) for name, claim in MUTATED.items() if not claim.world.sized],
)
def test_wrong_encoding_disagrees(claim: Claim) -> None:
    said = next(said for n in (1, 2, 3) if (said := differences(claim, n, 8)))
    assert all(sentence.endswith("queues: z3 answers sat, concrete: no violation") for sentence in said)


def test_wrong_machine_room_encodings_have_their_own_world() -> None:
    assert [name for name, claim in MUTATED.items() if claim.world.sized] == [
        "room-whole-list-for-kept-list",
        "room-another-room",
        "room-empty-parts-count",
    ]


def test_wrong_code_disagrees() -> None:
    nothing = replace(STRATEGIES[0], allocate=lambda current_cid, mq_all, cid_all: [])
    assert differences(promise(nothing, GUARANTEE["covers"]), 2, 2) == [
        "2 consumers, 1 queues: z3 answers unsat, concrete: queue 0 has no consumer.",
        "2 consumers, 2 queues: z3 answers unsat, concrete: queue 0, queue 1 have no consumer.",
    ]


@pytest.mark.parametrize("name", ["covers", "contiguous"])
def test_sat_is_inconclusive_where_quotients_are_variables(name: str) -> None:
    for n in (2, 3):
        found = compare(promise(CHOSEN, GUARANTEE[name]), n, 6)
        assert (found.counted, found.differing) == (6, 0)


def test_unsat_is_conclusive_where_quotients_are_variables() -> None:
    nothing = replace(CHOSEN, allocate=lambda current_cid, mq_all, cid_all: [])
    said = differences(promise(nothing, GUARANTEE["covers"]), 2, 2)
    assert said[-1] == "2 consumers, 2 queues: z3 answers unsat, concrete: queue 0, queue 1 have no consumer."


@pytest.mark.parametrize("claim", [DISJOINT, WITHOUT], ids=lambda claim: claim.id)
def test_solver_that_answers_unknown_disagrees(claim: Claim, monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(texts, seconds):
        return [(Outcome.UNKNOWN, {}, "incomplete") for _ in texts]

    monkeypatch.setitem(SOLVERS, "z3", replace(SOLVERS["z3"], solve_all=give_up))
    found = compare(claim, 2, 3)
    assert (found.counted, found.differing) == (3, 3)
    assert found.first.sentence.startswith("2 consumers, 1 queues: z3 answers unknown (incomplete), concrete: ")


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [None, 1, 2])
def test_all_sizes_of_all_claims_run_on_spark(partitions: int | None, spark: SparkSession) -> None:
    wrong = MUTATED["avg-le-for-lt"]
    asked = [(DISJOINT, (3, 4)), (wrong, (2, 5)), (WITHOUT, (1, 2))]
    checks = [at_size(*one) for one in asked]
    findings_ = findings(checks, run(spark, checks, partitions))
    assert [found.name for found in findings_] == [claim.id for claim, _ in asked]
    for found, (claim, (consumers, queues)) in zip(findings_, asked, strict=True):
        said = [sentence for n in range(1, consumers + 1) for sentence in differences(claim, n, queues)]
        assert found.bounds == {"queues": queues, "consumers": consumers}
        assert found.counted == found.expected == consumers * queues
        assert (found.differing, found.first) == (len(said), min(said, default=""))
        assert found.seconds > 0
    assert [bool(found.differing) for found in findings_] == [False, True, False]


def test_sizes_with_many_consumers_are_first() -> None:
    """They take longest."""
    check = at_size(MUTATED["avg-le-for-lt"], (3, 8))
    first = [check(piece).first for piece in range(check.pieces)]
    assert [case.size[0] for case in first if case] == [3, 2]
