"""The sweep on Spark gives what plain Python gives, however the work is cut."""

from dataclasses import replace
from functools import cache

import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_go import MACHINE_ROOM_GO
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.model.worlds.kinds import KINDS_MIXED
from rebalance_proofs.model.worlds.ring_views import RING_JOINS, RINGS
from rebalance_proofs.proofs.allocation import COVERS, DISJOINT, GUARANTEES, IDLE
from rebalance_proofs.proofs.allocation.listed import COVERS_LISTED
from rebalance_proofs.proofs.movement.monotone import MONOTONE
from rebalance_proofs.spark_enum.check import CHUNK, Check
from rebalance_proofs.spark_enum.results import Enumeration, Violation
from rebalance_proofs.spark_enum.space import Space
from rebalance_proofs.spark_enum.sweep import Work, sweep, sweeps

AVG, CIRCLE = STRATEGIES[:2]
PREMISE = {world.name: world for world in PREMISES}
WRONG_AVG = replace(AVG, encoding=AVG.mutants[1].encoding)

CHECKS = {
    "agreed": (Space(AGREED, 5, 6), Check(AGREED, (CIRCLE,), GUARANTEES)),
    "codes that name no group": (
        Space(PREMISE["same-cid-all"], 2, 3),
        Check(PREMISE["same-cid-all"], (AVG,), (DISJOINT, COVERS)),
    ),
    "two strategies": (
        Space(PREMISE["same-strategy"], 3, 4),
        Check(PREMISE["same-strategy"], (AVG, CIRCLE), (COVERS, DISJOINT)),
    ),
    "mismatches": (
        Space(PREMISE["distinct-ids"], 3, 4),
        Check(PREMISE["distinct-ids"], (WRONG_AVG,), (DISJOINT,)),
    ),
    "rings": (Space(RINGS, 2, 1), Check(RINGS, (CONSISTENT_HASH,), (DISJOINT, IDLE))),
    "rings that are compared": (Space(RING_JOINS, 2, 1), Check(RING_JOINS, (CONSISTENT_HASH,), (MONOTONE,))),
    "two clients": (
        Space(KINDS_MIXED, 2, 2),
        Check(KINDS_MIXED, (MACHINE_ROOM, MACHINE_ROOM_GO), (DISJOINT, COVERS_LISTED)),
    ),
}
SPACE, CHECK = CHECKS["codes that name no group"]


@cache
def in_plain_python(space: Space, check: Check) -> Enumeration:
    """The whole sweep in this process."""
    checked = list(check(space))
    named = [guarantee.name for guarantee in check.guarantees]
    violations = {
        name: [
            Violation(found.configuration.consumers, found.configuration.queues, found.configuration.values, said)
            for found in checked
            if (said := found.violations[place])
        ]
        for place, name in enumerate(named)
    }
    wrong = [found for found in checked if found.mismatch]
    first = min((vars(found.configuration) | {"said": found.mismatch} for found in wrong), key=_size, default=None)
    return Enumeration(
        world=check.world.name,
        dropped=check.world.dropped,
        subject="+".join(strategy.name for strategy in check.subjects),
        max_queues=space.max_queues,
        max_consumers=space.max_consumers,
        groups=len(checked),
        expected_groups=len(checked),
        results=sum(found.configuration.consumers for found in checked),
        positions=sum(found.positions for found in checked),
        digest=f"{sum(found.digest for found in checked) % 2**64:016x}",
        mismatches=len(wrong),
        first_mismatch="{consumers} consumers, {queues} queues, digits {values}: {said}".format(
            **first | {"values": list(first["values"])}
        )
        if first
        else "",
        violations={name: len(found) for name, found in violations.items()},
        smallest={name: min(found) for name, found in violations.items() if found},
        seconds=0.0,
        code_sum=sum(range(space.codes)),
        at_place=len(checked),
    )


def _size(found: dict) -> tuple:
    return found["consumers"], found["queues"], found["values"]


@pytest.mark.spark
@pytest.mark.parametrize(("space", "check"), CHECKS.values(), ids=CHECKS)
def test_a_sweep_gives_what_plain_python_gives(space: Space, check: Check, spark: SparkSession) -> None:
    swept = sweep(spark, space, check)
    assert swept.complete
    assert swept.seconds > 0
    assert replace(swept, seconds=0.0) == in_plain_python(space, check)


def test_the_cases_above_say_something() -> None:
    plain = {name: in_plain_python(*case) for name, case in CHECKS.items()}
    assert plain["agreed"].violations == {
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
    assert plain["codes that name no group"].groups < SPACE.codes
    assert set(plain["two strategies"].smallest) == {"disjoint", "covers"}
    assert plain["mismatches"].mismatches > 1
    assert [name for name, found in plain.items() if found.mismatches] == ["mismatches"]
    assert plain["rings"].groups == 13 + 541 < CHECKS["rings"][0].codes
    assert set(plain["two clients"].smallest) == {"disjoint", "covers-listed"}
    assert [name for name, found in plain.items() if found.dropped] == [
        "codes that name no group",
        "two strategies",
        "mismatches",
        "two clients",
    ]


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [1, 3, 7])
def test_partitions_change_nothing(partitions: int, spark: SparkSession) -> None:
    assert replace(sweep(spark, SPACE, CHECK, partitions), seconds=0.0) == in_plain_python(SPACE, CHECK)


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [None, 1, 5])
def test_many_spaces_in_one_job_give_what_each_gives_alone(partitions: int | None, spark: SparkSession) -> None:
    found = sweeps(spark, list(CHECKS.values()), partitions)
    assert [replace(swept, seconds=0.0) for swept in found] == [in_plain_python(*case) for case in CHECKS.values()]
    assert all(swept.complete for swept in found)
    assert all(swept.seconds > 0 for swept in found)


@pytest.mark.parametrize("length", [1, 7, 100, CHUNK, CHUNK + 1, 10**6])
def test_codes_are_divided_among_the_spaces_and_none_is_lost(length: int) -> None:
    work = Work(tuple(CHECKS.values()))
    every = [(number, code) for number, (space, _) in enumerate(CHECKS.values()) for code in range(space.codes)]
    assert work.ends[-1] == len(every)
    found = []
    for first in range(0, len(every), length):
        for number, codes in work.parts(range(first, min(first + length, len(every)))):
            assert 1 <= len(codes) <= CHUNK
            found += [(number, code) for code in codes]
    assert found == every


def test_one_space_here_needs_more_than_one_chunk() -> None:
    assert SPACE.codes > CHUNK
