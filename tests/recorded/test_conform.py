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
from rebalance_proofs.recorded import own
from rebalance_proofs.recorded.conform import conform
from rebalance_proofs.recorded.files import vector_files
from rebalance_proofs.recorded.formats import FORMATS
from rebalance_proofs.recorded.pinned import read_pinned
from rebalance_proofs.recorded.records import VectorsError

SORT_CASE = '{"mq": [], "cid": [], "go": {"mq": [], "cid": [], "r": []}}'


def test_the_model_computes_every_recorded_result(own_vectors):
    found = conform(own_vectors)
    assert found.failures == ()
    assert found.green
    assert {skipped for report in found.files for skipped in report.skipped} == set()


def test_as_much_is_pinned_as_there_is(own_vectors):
    """A file that grows or is cut has to change the table, so that nobody overlooks it."""
    found = conform(own_vectors)
    assert {report.file: (report.rows, report.checks, report.of) for report in found.files} == {
        name: (numbers.rows, numbers.checks, numbers.pairs) for name, numbers in read_pinned(own_vectors).items()
    }


def test_gzipped_files_give_the_same(own_vectors, tmp_path):
    for vectors in vector_files(own_vectors).values():
        packed = tmp_path / f"{vectors.name}.gz"
        packed.parent.mkdir(exist_ok=True)
        packed.write_bytes(gzip.compress(vectors.path.read_bytes()))
    plain, packed = conform(own_vectors), conform(str(tmp_path))
    assert packed.green
    assert [(f"{report.file}.gz", report.rows, report.checks) for report in plain.files] == [
        (report.file, report.rows, report.checks) for report in packed.files
    ]


def test_every_format_is_met_by_the_own_vectors(own_vectors):
    assert {name for format_ in FORMATS for name in format_.files} == set(vector_files(own_vectors))


def test_unknown_files_are_counted_and_said_to_be_skipped(write, conformed):
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


def test_a_run_that_compares_nothing_is_not_green(write, conformed):
    write("ring.tsv", ["row"])
    found = conformed()
    assert not found.green
    assert found.failures == ("no recorded result was compared with the model",)


def test_a_missing_directory(tmp_path):
    with pytest.raises(VectorsError, match=r"^cannot read vectors from .*nowhere: No such file or directory$"):
        conform(tmp_path / "nowhere")


def test_a_file_in_place_of_a_directory(write):
    with pytest.raises(VectorsError, match=r"^cannot read vectors from .*avg.tsv: Not a directory$"):
        conform(write("avg.tsv", []))


def test_a_directory_without_vectors(write, tmp_path):
    write("README.md", ["nothing"])
    with pytest.raises(VectorsError, match=r"contains no vector file \(\*\.tsv or \*\.jsonl, plain or gzipped\)$"):
        conform(tmp_path)


def test_a_file_that_is_there_twice(write, tmp_path):
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
def test_something_else_in_the_place_of_a_file_is_refused_and_not_waited_for(name, thing, write, monkeypatch, tmp_path):
    make, said = IN_THE_WAY[thing]
    write("sort_cases.jsonl", [SORT_CASE])
    monkeypatch.chdir(tmp_path)  # the path of a socket has to be short
    make(name)
    with pytest.raises(VectorsError, match=rf"^cannot read vectors from .*{name}: {said}$"):
        conform(tmp_path)


def test_a_file_that_must_not_be_read_is_refused(write, monkeypatch, tmp_path):
    """Whoever runs the tests may be allowed to read everything."""

    def denied(path, mode):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    write("sort_cases.jsonl", [SORT_CASE])
    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(VectorsError, match=r"^cannot read vectors from .*sort_cases.jsonl: Permission denied$"):
        conform(tmp_path)


def test_a_file_that_fails_while_it_is_read_costs_only_itself(write, conformed, monkeypatch):
    def failing(path):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    write("sort_cases.jsonl", [SORT_CASE])
    monkeypatch.setattr(Path, "read_bytes", failing)
    assert "sort_cases.jsonl: cannot be read: Input/output error" in conformed().failures


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_file_in_another_encoding_is_one_sentence(encoding, write, conformed):
    write("config.jsonl", "".join(f"{SORT_CASE}\n" for _ in range(100)).encode(encoding))
    write("sort_cases.jsonl", [SORT_CASE])
    (said,) = conformed().failures
    assert said.startswith("config.jsonl:1: not ")
    assert "UTF-8" in said
    assert "more of its lines" in said


def test_it_is_told_which_files_are_not_there(write, conformed):
    write("sort_cases.jsonl.gz", [SORT_CASE])
    write("ring.tsv", ["row"])
    found = conformed()
    assert found.green
    assert set(found.absent) == {name for format_ in FORMATS for name in format_.files} - {"sort_cases.jsonl"}


def test_a_file_that_is_pinned_is_missing_and_not_absent(write, pin, conformed):
    pin({"errors.jsonl": {"rows": 5, "checks": 9}})
    write("sort_cases.jsonl", [SORT_CASE])
    assert "errors.jsonl" not in conformed().absent
    assert "config.jsonl" in conformed().absent


@pytest.fixture
def own_copy(own_vectors, tmp_path, monkeypatch):
    """A copy of the project's own recordings, used in their place."""
    copy = shutil.copytree(own_vectors, tmp_path / "own")
    monkeypatch.setattr(own, "OWN", copy)
    return copy


def test_the_own_vectors_lack_nothing(own_vectors):
    assert conform(own_vectors).absent == ()
    assert conform() == conform(own_vectors)


def test_own_vectors_without_transitions_are_not_green(own_copy):
    shutil.rmtree(own_copy / "transition")
    found = conform(own_copy)
    assert "transition/offset.tsv: is missing, and 136 rows of it are pinned" in found.failures
    assert len(found.failures) == 7
    assert found.lacking


def test_own_vectors_have_to_say_how_much_they_hold(own_copy):
    (own_copy / "pinned.json").unlink()
    with pytest.raises(
        VectorsError, match=r"^cannot check that this project's vectors are complete: .*pinned\.json is missing$"
    ):
        conform(own_copy)


def test_own_vectors_have_to_pin_every_file(own_copy):
    table = json.loads((own_copy / "pinned.json").read_text(encoding="utf-8"))
    del table["errors.jsonl"], table["avg.tsv"]
    (own_copy / "pinned.json").write_text(json.dumps(table), encoding="utf-8")
    (own_copy / "errors.jsonl").unlink()
    with pytest.raises(VectorsError, match=r"pinned\.json has no entry for avg\.tsv, errors\.jsonl$"):
        conform(own_copy)


@pytest.mark.parametrize("name", ["errors.jsonl", "errors.jsonl.gz", "ring.tsv"])
def test_a_file_without_rows(name, write, conformed):
    write("sort_cases.jsonl", [SORT_CASE])
    write(name, ["#only a header"])
    assert conformed().failures == (f"{name}: contains no row",)


@pytest.fixture
def pin(write):
    """``pin(table)``: pin the required content of the test's directory."""
    return lambda table: write("pinned.json", [json.dumps(table)])


def test_a_file_that_holds_less_than_is_pinned_is_noticed(write, pin, conformed):
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


def test_a_client_that_is_missing_in_a_row_is_noticed(write, pin, conformed):
    pin({"sort_cases.jsonl": {"rows": 1, "checks": 6}})
    write("sort_cases.jsonl.gz", [SORT_CASE])
    assert conformed().failures == ("sort_cases.jsonl.gz: holds 3 checks, and 6 are pinned",)


def test_a_malformed_row_is_told_once(write, pin, conformed):
    pin({"sort_cases.jsonl": {"rows": 2, "checks": 6}})
    write("sort_cases.jsonl", [SORT_CASE, "{}"])
    assert len(conformed().failures) == 1


def test_a_file_that_is_missing_is_noticed(write, pin, conformed):
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
def test_a_table_that_pins_nothing_legible(content, write, tmp_path):
    write("sort_cases.jsonl", [SORT_CASE])
    write("pinned.json", content)
    with pytest.raises(VectorsError, match=r"pinned\.json"):
        conform(tmp_path)


def test_a_fault_of_the_model_costs_only_its_row(write, report_of, monkeypatch):
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
