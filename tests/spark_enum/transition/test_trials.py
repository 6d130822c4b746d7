"""Guarantees tested on the clients' code in cases close to a benign round."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.clients import NODE
from rebalance_proofs.model.transition.variables import Case
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.transition.claims import claims
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.proofs.transition.search import cases, count_cases, count_part, first_violation, run_case
from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.jobs import here, run
from rebalance_proofs.spark_enum.results import Totals
from rebalance_proofs.spark_enum.transition.space import ADMITTED, FARTHER
from rebalance_proofs.spark_enum.transition.trials import promised, promises, trials, tried, uses
from tests.each import each
from tests.proofs.some import SOME

CLAIMS = claims()
ABOUT_NODE = [claim for claim in CLAIMS if claim.subjects == (NODE,)]
SIZES = [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]


def counted(claims: Sequence[Claim]) -> dict[tuple[str, Mode], Totals]:
    """Everything that is known of each claim and mode, without Spark."""
    runs = trials(uses(claims), SIZES)
    found = zip(runs, here([one.check() for one in runs]), strict=True)
    return {(claim.id, one.mode): totals.parts[claim.id] for one, totals in found for claim in one.claims}


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
def plain(request: pytest.FixtureRequest) -> dict[str, dict[Mode, Totals]]:
    """Claims about all clients, some of every kind; all of them in slow runs."""
    claims = CLAIMS if request.param == "all" else [claim for claim in CLAIMS if claim in SOME]
    found: dict[str, dict[Mode, Totals]] = {claim.id: {} for claim in claims}
    for (name, mode), count in counted(claims).items():
        found[name][mode] = count
    return found


@each("claim", CLAIMS, ids=lambda claim: claim.id, within="plain")
def test_every_claim_is_tried_in_every_mode(claim, plain):
    assert {*plain[claim.id]} == {*claim.world.modes}


@each("claim", CLAIMS, ids=lambda claim: claim.id, within="plain")
def test_smallest_violation_is_found(claim, plain):
    for mode, found in plain[claim.id].items():
        assert set(found.broken) == {mode.name}
        assert bool(found.broken[mode.name]) == bool(found.smallest)
        if claim.expected is Verdict.PROVED:
            assert not found.broken[mode.name]
        elif found.smallest:
            queues, departures = found.smallest[mode.name].size
            example = first_violation(claim.guarantee, claim.world, claim.subjects[0], mode, queues)
            assert example.departures == departures
        else:
            near = (case for departures in range(3) for case in cases(*used_in(claim, mode), 1, departures))
            assert not any(broken(claim, mode, case) for case in near if claim.world.admits(case, mode))


def test_number_of_cases_is_closed_form():
    runs = trials(uses(ABOUT_NODE), SIZES)
    for one, totals in zip(runs, here([one.check() for one in runs]), strict=True):
        assert totals.counted == one.check().expected
        used = one.scenario, one.client, one.mode
        assert totals.counted == sum(len(list(cases(*used, *size))) for size in SIZES)
        assert totals.counted == sum(count_cases(*used, *size) for size in SIZES)


def test_claims_with_equal_runs_share_them():
    runs = trials(uses(ABOUT_NODE), SIZES)
    kinds = {(one.mode, one.scenario.rounds, one.scenario.action, one.scenario.apart) for one in runs}
    assert len(kinds) == len(runs) < len(uses(ABOUT_NODE))
    shared = [(claim.id, one.mode.name) for one in runs for claim in one.claims]
    assert sorted(shared) == sorted((claim.id, mode.name) for claim, mode in uses(ABOUT_NODE))


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [None, 3])
def test_spark_finds_the_same_as_one_process(partitions: int | None, spark: SparkSession) -> None:
    found = promises(lambda checks: run(spark, checks, partitions), ABOUT_NODE, (2, 1))
    plain = counted(ABOUT_NODE)
    assert [one.name for one in found] == [claim.id for claim in ABOUT_NODE]
    for one, claim in zip(found, ABOUT_NODE, strict=True):
        counts = {mode.name: plain[claim.id, mode] for mode in claim.world.modes}
        assert one.equal
        assert list(one.bounds.values()) == [2, 1]
        assert one.numbers[ADMITTED] == sum(count.counted for count in counts.values())
        assert one.digest == f"{sum(count.digest for count in counts.values()) % 2**64:016x}"
        assert one.broken == {mode: count.broken[mode] for mode, count in counts.items()}
        assert one.smallest == {mode: count.smallest[mode] for mode, count in counts.items() if count.smallest}
    assert any(one.least for one in found)


def test_claims_without_a_violation_are_tried_deeper() -> None:
    late, early, kept = claim_of("node", ".marked.clustering"), claim_of("node", ".kept"), claim_of("node", ".changed")
    near = promises(here, [late, early, kept], (1, 1))
    far = promises(here, [late, early, kept], (1, 1), 3)
    assert [bool(one.least) for one in near] == [False, True, False]
    assert far[0].least.size == (2, 3)
    (mode,) = late.world.modes
    whole = sum(count_cases(late.world, late.subjects[0], mode, *size) for size in [(1, 2), (1, 3), (2, 2), (2, 3)])
    assert near[0].counted < far[0].counted < near[0].counted + whole
    assert {name for name in far[0].numbers if name.startswith(FARTHER)} == {
        f"{FARTHER}, {mode.name}" for mode in late.world.modes
    }
    assert [one.counted for one in far[1:]] == [one.counted for one in near[1:]]
    assert all(one.equal for one in (*near, *far))
    unexpected = replace(kept, holds=False)
    (searched,) = promises(here, [unexpected], (1, 0), 1)
    assert searched.least is None


def test_deeper_cases_are_all_tried_where_nothing_fails() -> None:
    """A claim that holds, expected to fail."""
    (claim,) = [claim for claim in ABOUT_NODE if claim.id.endswith(".changed")]
    (found,) = promises(here, [replace(claim, holds=False)], (1, 0), 2)
    sizes = [(mode, queues, many) for mode in claim.world.modes for queues in (1, 2) for many in range(3)]
    assert found.counted == sum(count_cases(claim.world, claim.subjects[0], *size) for size in sizes)
    assert found.equal


def test_parts_have_their_number_of_cases() -> None:
    (claim,) = [claim for claim in ABOUT_NODE if claim.id.endswith(".changed")]
    of = claim.world, claim.subjects[0], claim.world.modes[0], 2, 2
    counts = [count_part(*of, part, 7) for part in range(7)]
    assert counts == [sum(1 for _ in cases(*of, part, 7)) for part in range(7)]
    assert sum(counts) == count_cases(*of)


def test_no_claims_have_no_trials() -> None:
    assert promises(here, [], (2, 1), 3) == ()


@pytest.mark.parametrize("fewer", [1, -1])
def test_missing_cases_are_detected_in_any_mode(fewer):
    """Also when one mode has as many too many as another has too few."""
    (claim,) = [claim for claim in ABOUT_NODE if claim.id.endswith(".exact")]
    found = tried(here, trials(uses([claim]), SIZES))
    assert promised(claim, found, (2, 1)).equal
    found[0][1].counted -= fewer
    assert not promised(claim, found, (2, 1)).complete
    found[1][1].counted += fewer
    exchanged = promised(claim, found, (2, 1))
    assert exchanged.complete
    assert not exchanged.equal
    assert failures(exchanged) == (f"{claim.id}: some case with few deviations was missed or counted twice",)
