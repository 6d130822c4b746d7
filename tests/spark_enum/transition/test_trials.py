"""Promises tried on the clients' code in cases near to a benign round."""

from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.clients import NODE
from rebalance_proofs.model.transition.variables import Case
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.transition.claims import claims
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.proofs.transition.search import cases, count_cases, first_violation, run_case
from rebalance_proofs.spark_enum.transition.trials import Count, Trials, promises, trials, uses
from tests.each import each
from tests.proofs.some import SOME

CLAIMS = claims()
ABOUT_NODE = [claim for claim in CLAIMS if claim.subjects == (NODE,)]
SIZES = [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]


def counted(work: Trials) -> dict[tuple[int, Mode], Count]:
    """Everything that is known of each claim and mode, without Spark."""
    found: dict[tuple[int, Mode], Count] = {}
    for piece in range(len(work.pieces)):
        number, _, counts = work(piece)
        for place, count in zip(work.runs[number].claims, counts, strict=True):
            found.setdefault((place, work.runs[number].mode), Count()).merge(count)
    return found


def claim_of(client: str, part: str) -> Claim:
    """The claim that has the part in its name."""
    return next(claim for claim in CLAIMS if claim.subjects[0].name == client and part in claim.id)


def used_in(claim: Claim, mode: Mode) -> tuple[Scenario, Client, Mode]:
    """What says which cases there are."""
    return claim.world, claim.subjects[0], mode


def broken(claim: Claim, mode: Mode, case: Case) -> bool:
    """In a run of its own."""
    rounds = run_case(*used_in(claim, mode), case)
    return claim.guarantee.violation(rounds) is not None


@pytest.fixture(scope="module", params=["some", pytest.param("all", marks=pytest.mark.slow)])
def plain(request: pytest.FixtureRequest) -> dict[str, dict[Mode, Count]]:
    """Claims about all clients: some of every kind; all of them when slow."""
    claims = CLAIMS if request.param == "all" else [claim for claim in CLAIMS if claim in SOME]
    found: dict[str, dict[Mode, Count]] = {claim.id: {} for claim in claims}
    for (place, mode), count in counted(trials(claims, uses(claims), SIZES)).items():
        found[claims[place].id][mode] = count
    return found


@each("claim", CLAIMS, ids=lambda claim: claim.id, within="plain")
def test_every_claim_is_tried_in_every_mode(claim, plain):
    assert {*plain[claim.id]} == {*claim.world.modes}


@each("claim", CLAIMS, ids=lambda claim: claim.id, within="plain")
def test_the_smallest_violation_is_the_smallest(claim, plain):
    for mode, found in plain[claim.id].items():
        assert bool(found.violations) == (found.smallest is not None)
        if claim.expected is Verdict.PROVED:
            assert not found.violations
        elif found.smallest:
            queues, departures, _ = found.smallest
            example = first_violation(claim.guarantee, claim.world, claim.subjects[0], mode, queues)
            assert example.departures == departures
        else:
            near = (case for departures in range(3) for case in cases(*used_in(claim, mode), 1, departures))
            assert not any(broken(claim, mode, case) for case in near if claim.world.admits(case, mode))


def test_cases_are_counted_by_their_closed_form():
    work = trials(ABOUT_NODE, uses(ABOUT_NODE), SIZES)
    for number, runs in enumerate(work.runs):
        gone = sum(work(piece)[1] for piece, (of, *_) in enumerate(work.pieces) if of == number)
        assert gone == work.count(runs)
        assert gone == sum(len(list(cases(runs.scenario, runs.client, runs.mode, *size))) for size in SIZES)
        assert gone == sum(count_cases(runs.scenario, runs.client, runs.mode, *size) for size in SIZES)


def test_claims_that_are_run_in_the_same_way_share_their_runs():
    work = trials(ABOUT_NODE, uses(ABOUT_NODE), SIZES)
    kinds = {(runs.mode, runs.scenario.rounds, runs.scenario.action, runs.scenario.apart) for runs in work.runs}
    assert len(kinds) == len(work.runs) < len(uses(ABOUT_NODE))
    shared = [(place, runs.mode) for runs in work.runs for place in runs.claims]
    assert sorted(shared, key=str) == sorted(uses(ABOUT_NODE), key=str)


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [None, 3])
def test_spark_finds_the_same(partitions: int | None, spark: SparkSession) -> None:
    found = promises(spark, ABOUT_NODE, (2, 1), partitions=partitions)
    plain = counted(trials(ABOUT_NODE, uses(ABOUT_NODE), SIZES))
    assert [one.claim for one in found] == [claim.id for claim in ABOUT_NODE]
    for place, (one, claim) in enumerate(zip(found, ABOUT_NODE, strict=True)):
        counts = {mode.name: plain[place, mode] for mode in claim.world.modes}
        assert one.complete
        assert one.depths == (2, 1)
        assert one.cases == sum(count.admitted for count in counts.values())
        assert one.violations == {mode: count.violations for mode, count in counts.items()}
        smallest = min((count.smallest for count in counts.values() if count.smallest), default=None)
        assert ((*one.smallest, one.sentence) if one.smallest else None) == smallest
    assert any(one.smallest for one in found)


@pytest.mark.spark
def test_what_has_not_failed_is_looked_for_further_away(spark: SparkSession) -> None:
    late, early, kept = claim_of("node", ".marked.clustering"), claim_of("node", ".kept"), claim_of("node", ".changed")
    near = promises(spark, [late, early, kept], (1, 1))
    far = promises(spark, [late, early, kept], (1, 1), 3)
    assert [bool(one.smallest) for one in near] == [False, True, False]
    assert far[0].smallest == (2, 3)
    assert far[0].cases > near[0].cases
    assert [one.cases for one in far[1:]] == [one.cases for one in near[1:]]
    assert all(one.complete for one in (*near, *far))
    unexpected = replace(kept, expected=Verdict.REFUTED)
    (searched,) = promises(spark, [unexpected], (1, 0), 1)
    assert searched.smallest is None


@pytest.mark.spark
def test_nothing_to_try(spark: SparkSession) -> None:
    assert promises(spark, [], (2, 1), 3) == ()


def test_cases_that_were_not_met_are_noticed():
    whole = Count()
    whole.merge(Count(complete=False))
    whole.merge(Count())
    assert not whole.complete
