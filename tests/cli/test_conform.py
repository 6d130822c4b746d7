"""``rebalance conform`` on recordings that agree, that disagree, and that are unreadable."""

import json
import os
import shutil
from pathlib import Path

import pytest

from rebalance_proofs.recorded.files import OWN
from tests.cli.few_vectors import few_vectors


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """A copy of some recorded results, for tests that damage them."""
    return few_vectors(tmp_path / "vectors")


def spoil(file: Path, old: str, new: str) -> None:
    """Replaces the one occurrence of ``old`` that the file has to have."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_all_recorded_results_agree(call):
    called = call("conform")
    assert called.status == 0
    assert "recorded avg.tsv: 296 rows, 2,368 checks, all agree" in called.out
    assert "All as expected" in called.out


def test_differing_vector_shows_both_results_and_exits_with_status_1(call, vectors):
    spoil(vectors / "avg.tsv", "\n1b\t2\t2\t0|1\t", "\n1b\t2\t2\t1|0\t")
    called = call("conform", "--vectors", str(vectors))
    assert called.status == 1
    assert "recorded 1|0, computed 0|1" in called.out
    assert "avg.tsv:" in called.out
    assert "NOT AS EXPECTED" in called.out


def test_malformed_row_is_named_and_other_rows_are_checked(call, vectors):
    spoil(vectors / "avg.tsv", "\n1b\t2\t2\t0|1\t", "\n1b\ttwo\t2\t0|1\t")
    called = call("conform", "--vectors", str(vectors))
    assert called.status == 2
    assert "296 rows, 2,360 checks, 1 malformed" in called.out
    assert "avg.tsv:" in called.out
    assert "two" in called.out
    assert "Traceback" not in called.out + called.err


def test_directory_without_vectors_prints_one_sentence(call, tmp_path):
    called = call("conform", "--vectors", str(tmp_path))
    assert called.status == 2
    assert str(tmp_path) in called.complaint


def test_unknown_step_is_a_difference_with_status_1(call, vectors):
    spoil(vectors / "transition" / "scripted.jsonl", '{"op":"persistConsumerOffset",', '{"op":"persistEverything",')
    called = call("conform", "--vectors", str(vectors))
    assert called.status == 1
    assert 'computed nothing: op is "persistEverything", which no client supports' in called.out
    assert "skipped" not in called.out


def test_truncated_file_exits_with_status_1(call, vectors):
    file = vectors / "avg.tsv"
    file.write_text("".join(file.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8")
    called = call("conform", "--vectors", str(vectors))
    assert called.status == 1
    assert "avg.tsv: 295 rows, 2,360 checks, fewer than the pinned number" in called.out
    assert "BAD avg.tsv: holds 295 rows, and 296 are pinned" in called.out


def test_missing_file_is_named_with_status_1(call, vectors):
    (vectors / "errors.jsonl").unlink()
    called = call("conform", "--vectors", str(vectors))
    assert called.status == 1
    assert "BAD errors.jsonl: is missing, and 108 rows of it are pinned" in called.out
    assert "NOT AS EXPECTED: 1 failure" in called.out


def test_missing_parts_of_a_user_directory_are_reported_everywhere(call, tmp_path):
    vectors = Path(shutil.copytree(OWN, tmp_path / "vectors"))
    (vectors / "pinned.json").unlink()
    (vectors / "errors.jsonl").unlink()
    (vectors / "transition" / "store.tsv").unlink()
    called = call("conform", "--vectors", str(vectors), "--output", str(tmp_path / "run"))
    said = "2 files of recorded results missing: errors.jsonl, transition/store.tsv"
    assert called.status == 0
    assert said in called.out
    assert said in (tmp_path / "run" / "summary.md").read_text(encoding="utf-8")
    assert said in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    results = json.loads((tmp_path / "run" / "results.json").read_text(encoding="utf-8"))
    assert results["conformance"]["absent"] == ["errors.jsonl", "transition/store.tsv"]


def test_directory_without_known_files_exits_with_status_2(call, tmp_path):
    (tmp_path / "ring.tsv").write_text("a row\n", encoding="utf-8")
    called = call("conform", "--vectors", str(tmp_path))
    assert called.status == 2
    assert "BAD no recorded result was compared with the model" in called.out


def test_named_pipe_prints_one_sentence_and_keeps_an_earlier_run(call, vectors, tmp_path):
    output = tmp_path / "run"
    assert call("conform", "--vectors", str(vectors), "--output", str(output)).status == 0
    (vectors / "avg.tsv").unlink()
    os.mkfifo(vectors / "avg.tsv")
    called = call("conform", "--vectors", str(vectors), "--output", str(output))
    assert called.status == 2
    assert "avg.tsv: it is a named pipe, not a file" in called.complaint
    assert not called.out
    assert (output / "results.json").exists()
