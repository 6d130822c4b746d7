"""Rows of cases, written by the counting job as docs/reference/parquet.md describes, with its queries."""

import re
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import FORMAT, SCHEMA, Check, Rows, Tables, clear
from rebalance_proofs.spark_enum.jobs import run
from rebalance_proofs.spark_enum.results import Enumerated, Totals
from rebalance_proofs.spark_enum.transition.bounds import LetterBounds, TransitionBounds
from rebalance_proofs.spark_enum.transition.space import ADMITTED, LETTERS
from rebalance_proofs.spark_enum.witness import enumerate_claims

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "parquet.md"
FEW = LetterBounds(pairs=5, triples=3, table_pairs=8, table_triples=4)
BOUNDS = Bounds(
    3,
    4,
    at_size=(2, 2),
    at_size_without=(2, 2),
    transitions=TransitionBounds(every_case=False, throwing=FEW, calm=FEW, models=4, depths=(1, 0), deepest=1),
)
CLAIMS = (
    "allocation.avg.covers",
    "allocation.avg.covers.without-distinct-ids",
    "movement.avg.moved",
    "transition.node.*",
)


@pytest.fixture(scope="module")
def written(spark: SparkSession, tmp_path_factory) -> tuple[Enumerated, Path]:
    """Findings of a job that wrote its rows over those of an earlier run."""
    folder = tmp_path_factory.mktemp("parquet")
    (folder / "groups").mkdir()
    (folder / "groups" / "part-999-00000.parquet").write_text("of an earlier run", encoding="utf-8")
    found = enumerate_claims(spark, select(CLAIMS), BOUNDS, parquet=folder)
    rows = spark.read.option("recursiveFileLookup", True).parquet(str(folder))
    rows.createOrReplaceTempView("rows")
    return found, folder


def queries() -> list[str]:
    """Those of the page."""
    return re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.spark
def test_every_kind_has_a_folder_of_complete_files(written) -> None:
    found, folder = written
    assert {path.name for path in folder.iterdir()} == {one.kind for one in found.findings}
    for path in folder.rglob("*.*"):
        assert re.fullmatch(r"part-\d{3}-\d{5}\.parquet", path.name)
        assert pq.read_schema(path).equals(SCHEMA)


@pytest.mark.spark
def test_rows_of_a_check_add_up_to_its_finding(written, spark: SparkSession) -> None:
    """With the page's query."""
    found, _ = written
    rows = {(row["kind"], row["check"]): row for row in spark.sql(queries()[1]).collect()}
    assert set(rows) == {(one.kind, one.name) for one in found.findings}
    for one in found.findings:
        row = rows[one.kind, one.name]
        counted = one.numbers["outcomes"] if one.kind == LETTERS else one.numbers.get(ADMITTED, one.counted)
        assert (row["counted"], row["differing"]) == (counted, one.differing)
        if one.digest and one.kind != LETTERS:
            assert f"{int(row['digest']):016x}" == one.digest


@pytest.mark.spark
def test_violations_are_in_the_rows(written, spark: SparkSession) -> None:
    """With the page's query."""
    found, _ = written
    swept = found.named("groups", "avg without-distinct-ids")
    rows = {(row["setting"], row["guarantee"]): row for row in spark.sql(queries()[0]).collect()}
    row = rows["without-distinct-ids", "covers"]
    assert row["broken"] == swept.broken["covers"]
    assert tuple(row["smallest"]) == swept.smallest["covers"].size
    assert ("agreed", "covers") not in rows


@pytest.mark.spark
def test_letters_name_the_cases_of_several_queues(written, spark: SparkSession) -> None:
    told = spark.sql(
        "SELECT count(*) AS calls, count(letter) AS known FROM"
        " (SELECT DISTINCT setting, explode(slice(digits, 2, 3)) AS letter FROM rows WHERE kind = 'calls') AS calls"
        " LEFT JOIN (SELECT setting, numbers['letter'] AS letter FROM rows WHERE kind = 'letters')"
        " USING (setting, letter)"
    ).first()
    assert told["calls"] == told["known"] > 0


def test_docs_page_lists_every_column_and_kind() -> None:
    of_cases = PAGE.read_text(encoding="utf-8").split("\n## States")[0]
    columns, kinds = (
        re.findall(r"^- `(\w+)`(?: \(|: )", part.split("\n### ")[0], re.MULTILINE)
        for part in re.split(r"^### (?:Columns|Kinds)$", of_cases, flags=re.MULTILINE)[1:]
    )
    assert columns == SCHEMA.names
    allocation, transitions = ["groups", "joins", "sizes"], ["singles", "letters", "calls", "tables", "models"]
    assert kinds == [*allocation, *transitions, "explored", "promises"]
    assert f"version {FORMAT} of" in PAGE.read_text(encoding="utf-8")


def test_columns_of_all_shapes_are_written(tmp_path: Path) -> None:
    with Rows.written(Tables(tmp_path, 1), 2) as rows:
        keep = rows.of("a kind", "a check", "a subject", "a setting")
        keep(
            queues=[1, 2],
            digits=np.array([[1, 2], [3, 4]]),
            numbers={"a": [5, 6], "b": np.array([7, 8])},
            digest=np.array([1, 2**64 - 1], dtype=np.uint64),
            differs=[None, "this"],
            broken=[[("x", "no")], []],
        )
        keep(queues=np.array([3]), digits=[(5,)])
        assert list(tmp_path.rglob("part-*")) == []
    (path,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert path.relative_to(tmp_path).as_posix() == "a kind/part-001-00002.parquet"
    first, second, third = pq.read_table(path).to_pylist()
    assert first["digits"] == [1, 2]
    assert first["numbers"] == [("a", 5), ("b", 7)]
    assert first["broken"] == [("x", "no")]
    assert (second["digest"], second["differs"], second["broken"]) == (-1, "this", [])
    assert (third["queues"], third["digits"], third["numbers"], third["digest"]) == (3, [5], None, None)
    assert {(row["format"], row["kind"], row["check"]) for row in (first, second, third)} == {
        (FORMAT, "a kind", "a check")
    }


def test_failed_task_leaves_no_files(tmp_path: Path) -> None:
    def fail() -> None:
        with Rows.written(Tables(tmp_path, 0), 0) as rows:
            rows.of("kind", "check", "", "")(queues=np.arange(2**17))
            assert [path.name[0] for path in (tmp_path / "kind").iterdir()] == ["."]
            raise ValueError("it fails")

    with pytest.raises(ValueError, match="it fails"):
        fail()
    assert list((tmp_path / "kind").iterdir()) == []


def test_only_row_files_are_removed(tmp_path: Path) -> None:
    names = ["groups/part-000-00000.parquet", "groups/part-1.parquet", "part-000-00000.parquet"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    clear(tmp_path)
    assert [name for name in names if (tmp_path / name).exists()] == names[1:]


@pytest.mark.spark
def test_repeated_task_writes_the_same_rows(spark: SparkSession, tmp_path: Path) -> None:
    """As when an executor is lost after writing them; files left by a lost executor are removed."""
    (tmp_path / "kind").mkdir()
    (tmp_path / "kind" / ".part-000-00001.parquet.0123").touch()

    def counted(piece: int, keep) -> Totals:
        keep(queues=[piece])
        return Totals(counted=1)

    for _ in range(2):
        run(spark, [Check("kind", "check", 5, 5, counted)], 2, Tables(tmp_path, 0))
    assert sorted(pq.read_table(tmp_path / "kind")["queues"].to_pylist()) == [0, 1, 2, 3, 4]
    assert {path.name for path in tmp_path.rglob("*.*")} == {"part-000-00000.parquet", "part-000-00001.parquet"}
