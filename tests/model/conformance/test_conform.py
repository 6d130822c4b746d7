"""Whole directories: the project's own vectors, unknown files, and directories that are none."""

import gzip
import os
import shutil

import pytest

from model.conformance import VectorsError, conform
from model.conformance.files import vector_files
from model.conformance.formats import FORMATS

SORT_CASE = '{"mq": [], "cid": [], "go": {"mq": [], "cid": [], "r": []}}'


def test_the_model_computes_every_recorded_result(own_vectors):
    found = conform(own_vectors)
    assert found.failures == ()
    assert found.green
    assert {report.file: (report.rows, report.checks, report.skipped) for report in found.files} == {
        "avg.tsv": (296, 296 * (5 + 3), {}),
        "avg_cids.tsv": (13, 13 * 5, {}),
        "avg_layouts.tsv": (30, 30 * 5, {}),
        "config.jsonl": (18, 48, {}),
        "consistent_hash.jsonl": (115, 115 * 2, {}),
        "consistent_hash_go.tsv": (115, 115, {}),
        "consistent_hash_special.jsonl": (11, 11 * 3, {}),
        "errors.jsonl": (105, 308, {}),
        "machine_room.tsv": (338, 338, {}),
        "machine_room_divergence.tsv": (159, 159 * 3, {}),
        "machine_room_nearby.tsv": (333, 333 * 2 * 2, {}),
        "ring_dump.tsv": (15, 15, {}),
        "ring_hash.tsv": (152, 152, {}),
        "sort_cases.jsonl": (9, 9 * 5 * 3, {}),
        "transition/node-offset.tsv": (63, 63 * 4, {}),
        "transition/node-single.tsv": (67, 67 * 6, {}),
        "transition/offset.tsv": (136, 136 * 8, {}),
        "transition/pairs.tsv": (84, 84 * 11, {}),
        "transition/scripted.jsonl": (110, 221 * 5, {}),
        "transition/single.tsv": (179, 179 * 6, {}),
        "transition/store.tsv": (134, 134 * 5, {}),
    }
    assert (found.rows, found.checks) == (2482, 11281)


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
    with pytest.raises(VectorsError, match=r"holds no vector file \(\*\.tsv or \*\.jsonl, plain or gzipped\)$"):
        conform(tmp_path)


def test_a_file_that_is_there_twice(write, tmp_path):
    write("sort_cases.jsonl", [SORT_CASE])
    write("sort_cases.jsonl.gz", [SORT_CASE])
    with pytest.raises(VectorsError, match=r"holds sort_cases\.jsonl both plain and gzipped; keep one of them$"):
        conform(tmp_path)


def test_a_file_that_cannot_be_opened(own_vectors, tmp_path):
    shutil.copy(own_vectors / "sort_cases.jsonl", tmp_path)
    os.symlink(tmp_path / "nowhere", tmp_path / "errors.jsonl")
    found = conform(tmp_path)
    assert found.failures == ("errors.jsonl: cannot be read: No such file or directory",)
    assert found.checks == 9 * 5 * 3


@pytest.mark.parametrize("name", ["errors.jsonl", "errors.jsonl.gz", "ring.tsv"])
def test_a_file_without_rows(name, write, conformed):
    write("sort_cases.jsonl", [SORT_CASE])
    write(name, ["#only a header"])
    assert conformed().failures == (f"{name}: holds no row",)
