"""Whole directories: the project's own recordings, unknown files, and paths that are no directories."""

import errno
import gzip
import json
import os
import shutil
import socket
from pathlib import Path

import pytest

from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.recorded import files
from rebalance_proofs.recorded.conform import FORMATS, conform
from rebalance_proofs.recorded.files import VectorsError, read_pinned, vector_files

SORT_CASE = '{"mq": [], "cid": [], "go": {"mq": [], "cid": [], "r": []}}'


def test_model_computes_every_recorded_result(own_vectors):
    found = conform(own_vectors)
    assert found.failures == ()
    assert found.green
    assert {skipped for report in found.files for skipped in report.skipped} == set()


def test_pinned_numbers_equal_the_files(own_vectors):
    """A file that grows or is cut has to change the table."""
    found = conform(own_vectors)
    assert {report.file: (report.rows, report.checks, report.of) for report in found.files} == {
        name: (numbers.rows, numbers.checks, numbers.pairs) for name, numbers in read_pinned(own_vectors).items()
    }


def test_gzipped_files_give_the_same_result(own_vectors, tmp_path):
    for vectors in vector_files(own_vectors).values():
        packed = tmp_path / f"{vectors.name}.gz"
        packed.parent.mkdir(exist_ok=True)
        packed.write_bytes(gzip.compress(vectors.path.read_bytes()))
    plain, packed = conform(own_vectors), conform(str(tmp_path))
    assert packed.green
    assert [(f"{report.file}.gz", report.rows, report.checks) for report in plain.files] == [
        (report.file, report.rows, report.checks) for report in packed.files
    ]


def test_every_format_occurs_in_the_recorded_vectors(own_vectors):
    assert {name for format_ in FORMATS for name in format_.files} == set(vector_files(own_vectors))


def test_unknown_files_are_counted_as_skipped(write, conformed):
    write("sort_cases.jsonl", [SORT_CASE])
    write("ring.tsv.gz", ["#header", "1\t2", "3\t4"])
    write("transition/other.tsv", ["row"])
    write("README.md", ["not a vector file"])
    found = conformed()
    assert found.green
    assert [(report.file, report.rows, report.checks, report.skipped) for report in found.files] == [
        ("ring.tsv.gz", 2, 0, {"files of this name are not modelled": 2}),
        ("sort_cases.jsonl", 1, 3, {}),
        ("transition/other.tsv", 1, 0, {"files of this name are not modelled": 1}),
    ]


def test_run_without_comparisons_is_not_green(write, conformed):
    write("ring.tsv", ["row"])
    found = conformed()
    assert not found.green
    assert found.failures == ("no recorded result was compared with the model",)


def test_missing_vectors_directory_is_reported(tmp_path):
    with pytest.raises(VectorsError, match=r"^cannot read vectors from .*nowhere: No such file or directory$"):
        conform(tmp_path / "nowhere")


def test_file_in_place_of_a_directory_is_reported(write):
    with pytest.raises(VectorsError, match=r"^cannot read vectors from .*avg.tsv: Not a directory$"):
        conform(write("avg.tsv", []))


def test_directory_without_vectors_is_reported(write, tmp_path):
    write("README.md", ["nothing"])
    with pytest.raises(VectorsError, match=r"contains no vector file \(\*\.tsv or \*\.jsonl, plain or gzipped\)$"):
        conform(tmp_path)


def test_file_present_twice_is_refused(write, tmp_path):
    write("sort_cases.jsonl", [SORT_CASE])
    write("sort_cases.jsonl.gz", [SORT_CASE])
    with pytest.raises(VectorsError, match=r"contains sort_cases\.jsonl both plain and gzipped; keep one of them$"):
        conform(tmp_path)


def _socket(path):
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(path))


IN_THE_WAY = {
    "a directory": (os.mkdir, "it is a directory, not a file"),
    "a named pipe": (os.mkfifo, "it is a named pipe, not a file"),
    "a socket": (_socket, "it is a socket, not a file"),
    "a device": (lambda path: os.symlink("/dev/zero", path), "it is a device, not a file"),
    "a link to nowhere": (lambda path: os.symlink("nowhere", path), "No such file or directory"),
}


@pytest.mark.parametrize("name", ["errors.jsonl", "errors.jsonl.gz", "unknown.tsv", "pinned.json"])
@pytest.mark.parametrize("thing", IN_THE_WAY)
def test_special_file_is_refused_without_waiting(name, thing, write, monkeypatch, tmp_path):
    make, said = IN_THE_WAY[thing]
    write("sort_cases.jsonl", [SORT_CASE])
    monkeypatch.chdir(tmp_path)  # the path of a socket has to be short
    make(name)
    with pytest.raises(VectorsError, match=rf"^cannot read vectors from .*{name}: {said}$"):
        conform(tmp_path)


def test_unreadable_file_is_refused(write, monkeypatch, tmp_path):
    """The tests may run as a user who can read everything."""

    def denied(path, mode):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    write("sort_cases.jsonl", [SORT_CASE])
    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(VectorsError, match=r"^cannot read vectors from .*sort_cases.jsonl: Permission denied$"):
        conform(tmp_path)


def test_read_error_concerns_only_its_file(write, conformed, monkeypatch):
    def failing(path):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    write("sort_cases.jsonl", [SORT_CASE])
    monkeypatch.setattr(Path, "read_bytes", failing)
    assert "sort_cases.jsonl: cannot be read: Input/output error" in conformed().failures


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wrong_encoding_prints_one_sentence(encoding, write, conformed):
    write("config.jsonl", "".join(f"{SORT_CASE}\n" for _ in range(100)).encode(encoding))
    write("sort_cases.jsonl", [SORT_CASE])
    (said,) = conformed().failures
    assert said.startswith("config.jsonl:1: not ")
    assert "UTF-8" in said
    assert "more of its lines" in said


def test_absent_files_are_listed(write, conformed):
    write("sort_cases.jsonl.gz", [SORT_CASE])
    write("ring.tsv", ["row"])
    found = conformed()
    assert found.green
    assert set(found.absent) == {name for format_ in FORMATS for name in format_.files} - {"sort_cases.jsonl"}


def test_missing_pinned_file_is_reported_as_missing(write, pin, conformed):
    pin({"errors.jsonl": {"rows": 5, "checks": 9}})
    write("sort_cases.jsonl", [SORT_CASE])
    assert "errors.jsonl" not in conformed().absent
    assert "config.jsonl" in conformed().absent


@pytest.fixture
def own_copy(own_vectors, tmp_path, monkeypatch):
    """A copy of the project's own recordings, used in their place."""
    copy = shutil.copytree(own_vectors, tmp_path / "own")
    monkeypatch.setattr(files, "OWN", copy)
    return copy


def test_recorded_vectors_are_complete(own_vectors):
    assert conform(own_vectors).absent == ()
    assert conform() == conform(own_vectors)


def test_recorded_vectors_without_transitions_are_not_green(own_copy):
    shutil.rmtree(own_copy / "transition")
    found = conform(own_copy)
    assert "transition/offset.tsv: is missing, and 136 rows of it are pinned" in found.failures
    assert len(found.failures) == 7
    assert found.lacking


def test_recorded_vectors_need_a_pinned_table(own_copy):
    (own_copy / "pinned.json").unlink()
    with pytest.raises(
        VectorsError, match=r"^cannot check that this project's vectors are complete: .*pinned\.json is missing$"
    ):
        conform(own_copy)


def test_recorded_vectors_need_every_pinned_file(own_copy):
    table = json.loads((own_copy / "pinned.json").read_text(encoding="utf-8"))
    del table["errors.jsonl"], table["avg.tsv"]
    (own_copy / "pinned.json").write_text(json.dumps(table), encoding="utf-8")
    (own_copy / "errors.jsonl").unlink()
    with pytest.raises(VectorsError, match=r"pinned\.json has no entry for avg\.tsv, errors\.jsonl$"):
        conform(own_copy)


@pytest.mark.parametrize("name", ["errors.jsonl", "errors.jsonl.gz", "ring.tsv"])
def test_file_without_rows_is_reported(name, write, conformed):
    write("sort_cases.jsonl", [SORT_CASE])
    write(name, ["#only a header"])
    assert conformed().failures == (f"{name}: contains no row",)


@pytest.fixture
def pin(write):
    """``pin(table)``: pin the required content of the test's directory."""
    return lambda table: write("pinned.json", [json.dumps(table)])


def test_file_with_fewer_rows_than_pinned_is_detected(write, pin, conformed):
    pin({"sort_cases.jsonl": {"rows": 2, "checks": 6}})
    write("sort_cases.jsonl", [SORT_CASE, SORT_CASE])
    assert conformed().failures == ()
    write("sort_cases.jsonl", [SORT_CASE, SORT_CASE, SORT_CASE])
    assert conformed().failures == ()
    write("sort_cases.jsonl", [SORT_CASE])
    assert conformed().failures == (
        "sort_cases.jsonl: holds 1 rows, and 2 are pinned",
        "sort_cases.jsonl: holds 3 checks, and 6 are pinned",
    )


def test_missing_client_in_a_row_is_detected(write, pin, conformed):
    pin({"sort_cases.jsonl": {"rows": 1, "checks": 6}})
    write("sort_cases.jsonl.gz", [SORT_CASE])
    assert conformed().failures == ("sort_cases.jsonl.gz: holds 3 checks, and 6 are pinned",)


def test_malformed_row_is_reported_once(write, pin, conformed):
    pin({"sort_cases.jsonl": {"rows": 2, "checks": 6}})
    write("sort_cases.jsonl", [SORT_CASE, "{}"])
    assert len(conformed().failures) == 1


def test_missing_file_is_detected(write, pin, conformed):
    pin({"errors.jsonl": {"rows": 5, "checks": 9}})
    write("sort_cases.jsonl", [SORT_CASE])
    found = conformed()
    assert found.failures == ("errors.jsonl: is missing, and 5 rows of it are pinned",)
    assert not found.contradicted


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        b'{"a.tsv": 1}',
        b'{"a.tsv": {"rows": 1}}',
        b'{"a.tsv": {"rows": 1, "checks": true}}',
        b'{"a.tsv": {"rows": 0, "checks": 1}}',
    ],
)
def test_unreadable_pinned_table_is_refused(content, write, tmp_path):
    write("sort_cases.jsonl", [SORT_CASE])
    write("pinned.json", content)
    with pytest.raises(VectorsError, match=r"pinned\.json"):
        conform(tmp_path)


def test_model_exception_concerns_only_its_row(write, report_of, monkeypatch):
    def allocate(profile, strategy, current_cid, mq_all, cid_all):
        if current_cid == "c1":
            raise ZeroDivisionError("by nothing")
        return []

    monkeypatch.setattr(Profile, "allocate", allocate)
    rows = [f'{{"s": "AVG", "mq": [["b", 0]], "cid": ["c0", "c1"], "cur": "{cid}", "go": []}}' for cid in ("c1", "c0")]
    write("errors.jsonl", rows)
    report = report_of("errors.jsonl")
    (found,) = report.disagreements
    assert (found.line, found.client, found.what) == (1, "the model", "the row")
    assert (found.recorded, found.computed) == (rows[0], "nothing: it raised ZeroDivisionError, by nothing")
    assert (report.rows, report.checks, report.malformed) == (2, 2, ())
