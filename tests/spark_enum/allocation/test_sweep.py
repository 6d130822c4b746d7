"""The sweep on Spark gives the results of plain Python, for any partitioning."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.model.worlds.kinds import KINDS_MIXED
from rebalance_proofs.model.worlds.ring_views import RING_JOINS, RINGS
from rebalance_proofs.proofs.allocation.claims import GUARANTEES
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.allocation.idle import IDLE
from rebalance_proofs.proofs.allocation.listed import COVERS_LISTED
from rebalance_proofs.proofs.movement.monotone import MONOTONE
from rebalance_proofs.spark_enum.allocation.group_check import Checked, GroupCheck
from rebalance_proofs.spark_enum.allocation.space import AT_PLACE, GROUPS, NUMBER_SUM, POSITIONS, RESULTS, Space
from rebalance_proofs.spark_enum.allocation.sweep import CHUNK, sweep
from rebalance_proofs.spark_enum.jobs import findings, run
from rebalance_proofs.spark_enum.results import Finding, Wrong

AVG, CIRCLE = STRATEGIES[:2]
PREMISE = {world.name: world for world in PREMISES}
WRONG_AVG = replace(AVG, encoding=AVG.mutants[1].encoding)

CHECKS = {
    "agreed": (Space(AGREED, 5, 6), GroupCheck(AGREED, (CIRCLE,), GUARANTEES)),
    "digits that name no group": (
        Space(PREMISE["same-cid-all"], 2, 4),
        GroupCheck(PREMISE["same-cid-all"], (AVG,), (DISJOINT, COVERS)),
    ),
    "two strategies": (
        Space(PREMISE["same-strategy"], 3, 4),
        GroupCheck(PREMISE["same-strategy"], (AVG, CIRCLE), (COVERS, DISJOINT)),
    ),
    "mismatches": (
        Space(PREMISE["distinct-ids"], 3, 4),
        GroupCheck(PREMISE["distinct-ids"], (WRONG_AVG,), (DISJOINT,)),
    ),
    "rings": (Space(RINGS, 2, 1), GroupCheck(RINGS, (CONSISTENT_HASH,), (DISJOINT, IDLE))),
    "rings that are compared": (Space(RING_JOINS, 2, 1), GroupCheck(RING_JOINS, (CONSISTENT_HASH,), (MONOTONE,))),
    "two clients": (
        Space(KINDS_MIXED, 2, 2),
        GroupCheck(KINDS_MIXED, (MACHINE_ROOM, MACHINE_ROOM_GO), (DISJOINT, COVERS_LISTED)),
    ),
}
SPACE, CHECK = CHECKS["digits that name no group"]


def in_plain_python(space: Space, check: GroupCheck) -> Finding:
    """The whole sweep in this process."""
    checked = list(check(space))
    named = [guarantee.name for guarantee in check.guarantees]
    violations = {
        name: [case(found, said) for found in checked if (said := found.violations[place])]
        for place, name in enumerate(named)
    }
    wrong = [case(found, found.mismatch) for found in checked if found.mismatch]
    first = min(wrong, default=None)
    setting = f"without-{check.world.name}" if check.world.dropped else check.world.name
    strategies = "+".join(strategy.name for strategy in check.subjects)
    return Finding(
        kind=GROUPS,
        name=strategies if setting == "agreed" else f"{strategies} {setting}",
        subject=strategies,
        setting=setting,
        bounds={"queues": space.max_queues, "consumers": space.max_consumers},
        counted=len(checked),
        expected=len(checked),
        digest=f"{sum(found.digest for found in checked) % 2**64:016x}",
        differing=len(wrong),
        first=f"{first.size[0]} consumers, {first.size[1]} queues, digits {list(first.digits)}: {first.sentence}"
        if first
        else "",
        broken={name: len(found) for name, found in violations.items()},
        smallest={name: min(found) for name, found in violations.items() if found},
        numbers={
            RESULTS: sum(found.configuration.consumers for found in checked),
            POSITIONS: sum(found.positions for found in checked),
            NUMBER_SUM: sum(range(space.groups)),
            AT_PLACE: len(checked),
        },
    )


def case(found: Checked, sentence: str) -> Wrong:
    configuration = found.configuration
    return Wrong((configuration.consumers, configuration.queues), configuration.values, sentence)


def swept(spark: SparkSession, spaces: Iterable[tuple[Space, GroupCheck]], partitions: int | None = None):
    """The findings of these spaces, in one job."""
    checks = [sweep(*one) for one in spaces]
    return findings(checks, run(spark, checks, partitions))


@pytest.mark.spark
@pytest.mark.parametrize(("space", "check"), CHECKS.values(), ids=CHECKS)
def test_sweep_agrees_with_plain_python(space: Space, check: GroupCheck, spark: SparkSession) -> None:
    (found,) = swept(spark, [(space, check)])
    assert found.complete
    assert found.seconds > 0
    assert replace(found, seconds=0.0) == in_plain_python(space, check)


def test_compared_cases_have_matches_and_mismatches() -> None:
    plain = {name: in_plain_python(*case) for name, case in CHECKS.items()}
    assert plain["agreed"].broken == {
        "disjoint": 0,
        "covers": 0,
        "sublist": 0,
        "balanced": 0,
        "shares": 0,
        "idle": 0,
        "served": 0,
        "contiguous": sum(q > n for n in range(2, 6) for q in range(1, 7)),
    }
    assert plain["agreed"].smallest["contiguous"].size == (2, 3)
    assert set(plain["two strategies"].smallest) == {"disjoint", "covers"}
    assert plain["mismatches"].differing > 1
    assert [name for name, found in plain.items() if found.differing] == ["mismatches"]
    assert plain["rings"].counted == 13 + 541
    assert set(plain["two clients"].smallest) == {"disjoint", "covers-listed"}
    assert [name for name, found in plain.items() if "without-" in found.setting] == [
        "digits that name no group",
        "two strategies",
        "mismatches",
        "two clients",
    ]


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [1, 3, 7])
def test_sweep_does_not_depend_on_partitions(partitions: int, spark: SparkSession) -> None:
    (found,) = swept(spark, [(SPACE, CHECK)], partitions)
    assert replace(found, seconds=0.0) == in_plain_python(SPACE, CHECK)


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [None, 1, 5])
def test_spaces_in_one_job_give_their_single_results(partitions: int | None, spark: SparkSession) -> None:
    found = swept(spark, CHECKS.values(), partitions)
    assert [replace(one, seconds=0.0) for one in found] == [in_plain_python(*case) for case in CHECKS.values()]
    assert all(one.complete for one in found)
    assert all(one.seconds > 0 for one in found)


def test_pieces_cover_each_number_once() -> None:
    for space, check in CHECKS.values():
        one = sweep(space, check)
        found = [one(piece) for piece in range(one.pieces)]
        ends = [*range(0, space.groups, CHUNK), space.groups]
        assert [part.numbers[NUMBER_SUM] for part in found] == [sum(range(*pair)) for pair in pairwise(ends)]
        assert [part.numbers[AT_PLACE] for part in found] == [end - begin for begin, end in pairwise(ends)]


def test_test_space_needs_more_than_one_piece() -> None:
    assert SPACE.groups > CHUNK
