"""The sweep on Spark gives what plain Python gives, however the work is cut."""

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from model.allocation import STRATEGIES
from model.premises import AGREED, PREMISES
from proofs.allocation import COVERS, DISJOINT, GUARANTEES
from spark_enum.check import Check
from spark_enum.results import Enumeration, Violation
from spark_enum.space import Space
from spark_enum.sweep import CHUNK, check_codes, row_schema, sweep, to_arrow

AVG, CIRCLE = STRATEGIES[:2]
PREMISE = {premise.name: premise for premise in PREMISES}
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
}
SPACE, CHECK = CHECKS["codes that name no group"]


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
        premise=check.premise.name,
        subject="+".join(strategy.name for strategy in check.strategies),
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
        "idle": 0,
        "contiguous": sum(q > n for n in range(2, 6) for q in range(1, 7)),
    }
    assert plain["agreed"].smallest["contiguous"].size == (2, 3)
    assert plain["codes that name no group"].groups < SPACE.codes
    assert set(plain["two strategies"].smallest) == {"disjoint", "covers"}
    assert plain["mismatches"].mismatches > 1
    assert {name: found.mismatches for name, found in plain.items() if name != "mismatches"} == dict.fromkeys(
        ["agreed", "codes that name no group", "two strategies"], 0
    )


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [1, 3, 7])
def test_partitions_change_nothing(partitions: int, spark: SparkSession) -> None:
    assert replace(sweep(spark, SPACE, CHECK, partitions), seconds=0.0) == in_plain_python(SPACE, CHECK)


@pytest.mark.spark
def test_the_table_is_written_anew_with_a_row_a_group(spark: SparkSession, tmp_path: Path) -> None:
    sweep(spark, Space(AGREED, 1, 1), Check(AGREED, (AVG,), (DISJOINT,)), parquet=tmp_path / "table")
    swept = sweep(spark, SPACE, CHECK, parquet=tmp_path / "table")
    assert replace(swept, seconds=0.0) == in_plain_python(SPACE, CHECK)
    table = pq.read_table(tmp_path / "table").sort_by([("consumers", "ascending"), ("queues", "ascending")])
    assert table.num_rows == SPACE.groups
    rows = {(row["consumers"], row["queues"], tuple(row["digits"])): row for row in table.to_pylist()}
    for found in CHECK(SPACE):
        row = rows.pop((found.configuration.consumers, found.configuration.queues, found.configuration.values))
        assert (row["positions"], row["digest"], row["mismatch"]) == (found.positions, found.digest, None)
        assert (row["disjoint"], row["covers"]) == found.violations
    assert not rows


def test_codes_without_a_group_keep_their_place() -> None:
    codes = range(SPACE.codes)
    checked = check_codes(SPACE, CHECK, list(codes))
    assert [found and found.configuration for found in checked] == [SPACE.decode(code) for code in codes]
    rows = to_arrow(checked, CHECK)
    assert rows.null_count == SPACE.codes - SPACE.groups
    assert [row is None for row in rows.to_pylist()] == [found is None for found in checked]


def test_rows_have_the_columns_of_the_schema() -> None:
    columns = [column.split() for column in row_schema(CHECK).replace(", ", ",").split(",")]
    rows = to_arrow(check_codes(SPACE, CHECK, [0, 1, 2]), CHECK)
    assert [name for name, _ in columns] == [field.name for field in rows.type]
    assert [name for name, _ in columns][-2:] == ["disjoint", "covers"]


def test_one_space_here_needs_more_than_one_chunk() -> None:
    assert SPACE.codes > CHUNK
