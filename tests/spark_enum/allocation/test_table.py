"""A space as a table: a row a group, with what plain Python finds."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_go import MACHINE_ROOM_GO
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.model.worlds.kinds import KINDS_MIXED
from rebalance_proofs.proofs.allocation import COVERS, DISJOINT
from rebalance_proofs.proofs.allocation.listed import COVERS_LISTED
from rebalance_proofs.spark_enum.check import CHUNK, Check, check_codes
from rebalance_proofs.spark_enum.space import Space
from rebalance_proofs.spark_enum.table import row_schema, to_arrow, write_table

AVG = STRATEGIES[0]
SAME_CID_ALL = next(world for world in PREMISES if world.name == "same-cid-all")
SPACE, CHECK = Space(SAME_CID_ALL, 2, 3), Check(SAME_CID_ALL, (AVG,), (DISJOINT, COVERS))
MIXED = Space(KINDS_MIXED, 2, 1), Check(KINDS_MIXED, (MACHINE_ROOM, MACHINE_ROOM_GO), (COVERS_LISTED, DISJOINT))


@pytest.mark.spark
@pytest.mark.parametrize(("space", "check"), [(SPACE, CHECK), MIXED], ids=["a premise", "two clients"])
def test_it_is_written_anew_with_a_row_a_group(space: Space, check: Check, spark: SparkSession, tmp_path: Path) -> None:
    write_table(spark, Space(AGREED, 1, 1), Check(AGREED, (AVG,), (DISJOINT,)), tmp_path / "table")
    write_table(spark, space, check, tmp_path / "table")
    rows = {
        (row.pop("consumers"), row.pop("queues"), tuple(row.pop("digits"))): row
        for row in pq.read_table(tmp_path / "table").to_pylist()
    }
    assert len(rows) == space.groups
    names = [guarantee.name for guarantee in check.guarantees]
    for found in check(space):
        row = rows.pop((found.configuration.consumers, found.configuration.queues, found.configuration.values))
        expected = {"positions": found.positions, "digest": found.digest, "mismatch": None}
        assert row == expected | dict(zip(names, found.violations, strict=True))
    assert not rows


def test_codes_without_a_group_keep_their_place() -> None:
    codes = range(SPACE.codes)
    checked = check_codes(SPACE, CHECK, list(codes))
    assert [found and found.configuration for found in checked] == [SPACE.decode(code) for code in codes]
    rows = to_arrow(checked, CHECK)
    assert rows.null_count == SPACE.codes - SPACE.groups > 0
    assert [row is None for row in rows.to_pylist()] == [found is None for found in checked]


@pytest.mark.parametrize("check", [CHECK, MIXED[1]], ids=["a premise", "two clients"])
def test_rows_have_the_columns_of_the_schema(check: Check) -> None:
    columns = [column.split() for column in row_schema(check).replace(", ", ",").split(",")]
    rows = to_arrow(check_codes(Space(check.world, 1, 1), check, [0, 1, 2]), check)
    names = [name.strip("`") for name, _ in columns]
    assert names == [field.name for field in rows.type]
    assert names[-2:] == [guarantee.name for guarantee in check.guarantees]


def test_the_space_here_needs_more_than_one_chunk() -> None:
    assert SPACE.codes > CHUNK
