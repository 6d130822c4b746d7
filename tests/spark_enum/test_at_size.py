"""At each size, solver and code have to say the same; whatever else a solver says counts against it."""

from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.proofs.allocation import GUARANTEES, promise
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome
from rebalance_proofs.spark_enum.at_size import Job, at_size, compare, dealt
from tests.each import each
from tests.proofs.mutants import all_mutants, mutated
from tests.proofs.own import CHOSEN
from tests.proofs.some import SOME

GUARANTEE = {guarantee.name: guarantee for guarantee in GUARANTEES}
(DISJOINT,) = select(["allocation.avg.disjoint"])
(WITHOUT,) = select(["allocation.avg.disjoint.without-distinct-ids"])


ASKED = [claim for claim in LEDGER if not claim.world.sized]
"""In a case with unknowns for each queue every group is compared with the formulas themselves."""


MUTATED = {name: mutated(*pair) for name, pair in all_mutants(*STRATEGIES).items()}


@pytest.mark.parametrize(
    "claim",
    [pytest.param(claim, id=claim.id, marks=[] if claim in SOME else [pytest.mark.slow]) for claim in ASKED],
)
def test_right_claims_agree_at_every_size(claim: Claim) -> None:
    for n in (1, 2, 3):
        sizes, disagreements, seconds = compare(Job(claim, 3, 4), n, "z3")
        assert (sizes, disagreements) == (4, [])
        assert seconds > 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_each_solver_can_be_asked(solver: str) -> None:
    for claim in (DISJOINT, WITHOUT):
        assert compare(Job(claim, 3, 3), 3, solver)[:2] == (3, [])


@each(
    "claim",
    [pytest.param(claim, id=name) for name, claim in MUTATED.items() if not claim.world.sized],
)
def test_a_wrong_encoding_disagrees(claim: Claim) -> None:
    said = next(said for n in (1, 2, 3) if (said := compare(Job(claim, 3, 8), n, "z3")[1]))
    assert all(sentence.endswith("queues: z3 says sat, concrete: no violation") for sentence in said)


def test_wrong_encodings_of_machine_room_are_about_a_case_of_its_own() -> None:
    assert [name for name, claim in MUTATED.items() if claim.world.sized] == [
        "room-whole-list-for-kept-list",
        "room-another-room",
        "room-empty-parts-count",
    ]


def test_wrong_code_disagrees() -> None:
    nothing = replace(STRATEGIES[0], allocate=lambda current_cid, mq_all, cid_all: [])
    _, said, _ = compare(Job(promise(nothing, GUARANTEE["covers"]), 2, 2), 2, "z3")
    assert said == [
        "2 consumers, 1 queues: z3 says unsat, concrete: queue 0 is consumed by nobody.",
        "2 consumers, 2 queues: z3 says unsat, concrete: queue 0, queue 1 are consumed by nobody.",
    ]


@pytest.mark.parametrize("name", ["covers", "contiguous"])
def test_where_quotients_are_named_sat_says_nothing(name: str) -> None:
    for n in (2, 3):
        assert compare(Job(promise(CHOSEN, GUARANTEE[name]), 3, 6), n, "z3")[:2] == (6, [])


def test_where_quotients_are_named_unsat_says_what_it_says() -> None:
    nothing = replace(CHOSEN, allocate=lambda current_cid, mq_all, cid_all: [])
    _, said, _ = compare(Job(promise(nothing, GUARANTEE["covers"]), 2, 2), 2, "z3")
    assert said[-1] == "2 consumers, 2 queues: z3 says unsat, concrete: queue 0, queue 1 are consumed by nobody."


@pytest.mark.parametrize("claim", [DISJOINT, WITHOUT], ids=lambda claim: claim.id)
def test_a_solver_that_gives_up_disagrees(claim: Claim, monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(texts, seconds):
        return [(Outcome.UNKNOWN, {}, "incomplete") for _ in texts]

    monkeypatch.setitem(SOLVERS, "z3", replace(SOLVERS["z3"], solve_all=give_up))
    sizes, said, _ = compare(Job(claim, 2, 3), 2, "z3")
    assert (sizes, len(said)) == (3, 3)
    assert said[0].startswith("2 consumers, 1 queues: z3 says unknown (incomplete), concrete: ")


@pytest.mark.spark
def test_all_sizes_of_all_jobs_on_spark(spark: SparkSession) -> None:
    wrong = MUTATED["avg-le-for-lt"]
    jobs = [Job(DISJOINT, 3, 4), Job(wrong, 2, 5), Job(WITHOUT, 1, 2)]
    asked = at_size(spark, jobs)
    assert [found.claim for found in asked] == [job.claim.id for job in jobs]
    for found, job in zip(asked, jobs, strict=True):
        said = [sentence for n in range(1, job.max_consumers + 1) for sentence in compare(job, n, "z3")[1]]
        assert (found.max_consumers, found.max_queues) == (job.max_consumers, job.max_queues)
        assert found.sizes == job.max_consumers * job.max_queues
        assert (found.disagreements, found.first_disagreement) == (len(said), min(said, default=""))
        assert found.seconds > 0
    assert [bool(found.disagreements) for found in asked] == [False, True, False]


@pytest.mark.parametrize("partitions", [1, 2, 5, 100])
def test_every_task_is_dealt_once_and_the_large_ones_apart(partitions: int) -> None:
    jobs = [Job(DISJOINT, 4, 9), Job(WITHOUT, 2, 1)]
    tasks = dealt(jobs, partitions)
    assert sorted(tasks) == [(0, 1), (0, 2), (0, 3), (0, 4), (1, 1), (1, 2)]
    if partitions == 2:
        assert [n for _, n in tasks] == [1, 2, 3, 1, 2, 4]


@pytest.mark.spark
def test_nothing_to_ask(spark: SparkSession) -> None:
    assert at_size(spark, []) == ()
