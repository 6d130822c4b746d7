"""The run directory: written completely or not at all, and refused with one sentence."""

import json
import os
import resource
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from rebalance_proofs.report.own.output import OutputError
from rebalance_proofs.report.results import directory, files
from tests.report.runs import DEPENDENT
from tests.report.snapshot import snapshot


def named_files(document):
    """Every file that results.json names."""
    if isinstance(document, dict):
        if document.get("answers") or "caption" in document:
            yield document["file"]
        for value in document.values():
            yield from named_files(value)
    elif isinstance(document, list):
        for value in document:
            yield from named_files(value)


def test_run_writes_and_names_every_file(green, tmp_path):
    directory.write(green, tmp_path / "new" / "run")
    root = tmp_path / "new" / "run"
    written = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    reports = {files.RESULTS, files.JUNIT, files.SUMMARY, files.PAGE}
    named = set(named_files(json.loads((root / files.RESULTS).read_text(encoding="utf-8"))))
    assert written == reports | named
    assert f"counterexamples/{DEPENDENT}.itf.json" in written
    assert "smt2/allocation.circle.disjoint/mutant-ge-for-eq.violation-2.smt2" in written


def test_every_question_has_its_own_file(green, tmp_path):
    directory.write(green, tmp_path)
    for result in green.claims:
        found = files.text_files(result)
        assert [file.question for file in found] == list(result.questions)
        assert len({file.path for file in found}) == len(found)
        for file in found:
            assert (tmp_path / file.path).read_text(encoding="utf-8") == file.question.text


def test_questions_with_one_name_have_different_files(green):
    first = green.claims[0]
    step = first.obligations[0]
    again = replace(step, proof=replace(step.proof))
    twice = replace(first, obligations=(step, again))
    path = files.path_of(twice)
    assert path(step.proof) == "smt2/allocation.circle.disjoint/exclusive.smt2"
    assert path(again.proof) == "smt2/allocation.circle.disjoint/exclusive~2.smt2"


def test_names_stay_inside_the_directory(green):
    first = green.claims[0]
    hostile = replace(first, claim=replace(first.claim, room="../../etc/x y"))
    assert files.trace_file(hostile) == "counterexamples/__.._etc_x_y.circle.disjoint.itf.json"


@contextmanager
def files_no_larger_than(octets):
    """A disk that takes no more in one file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (octets, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("overwrite", [False, True])
def test_incomplete_write_leaves_nothing(green, tmp_path, overwrite):
    if overwrite:
        (tmp_path / "smt2").mkdir()
        (tmp_path / "smt2" / "mine.smt2").write_text("mine", encoding="utf-8")
        (tmp_path / files.JUNIT).write_text("mine", encoding="utf-8")
    with directory.taken(tmp_path, overwrite):
        before = snapshot(tmp_path)
        # enough for the texts, too little for results.json
        with (
            files_no_larger_than(20_000),
            pytest.raises(OutputError, match=r"File too large; results\.json was not written$"),
        ):
            directory.write(green, tmp_path)
        after = snapshot(tmp_path)
        del before["."], after["."]
        assert after == before


def test_results_are_written_last_and_a_failed_write_is_undone(green, tmp_path, monkeypatch):
    done = []

    def fail(source, target):
        if Path(target).name == files.RESULTS:
            done.extend(path.name for path in tmp_path.iterdir())
            raise OSError(28, "No space left on device")
        rename(source, target)

    rename = os.replace
    monkeypatch.setattr(os, "replace", fail)
    with directory.taken(tmp_path):
        with pytest.raises(OutputError, match=r"No space left on device; results\.json was not written$"):
            directory.write(green, tmp_path)
        assert {files.JUNIT, files.SUMMARY, files.PAGE, "smt2", "counterexamples"} <= set(done)
        assert files.RESULTS not in done
        assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [files.MARKER]


def test_file_created_during_the_run_is_kept(green, tmp_path):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "exclusive.smt2").write_text("theirs", encoding="utf-8")
    before = snapshot(tmp_path / "theirs")
    run = tmp_path / "run"
    with directory.taken(run):
        (run / "smt2").mkdir()
        (run / "smt2" / green.claims[0].claim.id).symlink_to(tmp_path / "theirs")
        with pytest.raises(OutputError, match="is a link where the run writes"):
            directory.write(green, run)
    assert snapshot(tmp_path / "theirs") == before
    assert not (run / files.RESULTS).exists()


def test_folder_removed_during_the_run_is_created_again(green, tmp_path):
    with directory.taken(tmp_path / "run"):
        shutil.rmtree(tmp_path / "run")
        directory.write(green, tmp_path / "run")
    with directory.taken(tmp_path / "run"):  # known by its reports
        assert not (tmp_path / "run" / files.RESULTS).exists()


MOUNTED = """
mount -t tmpfs -o size={size}k,mode=755 none {place} || exit 99
{python} -m rebalance_proofs prove allocation.circle.disjoint --no-width --jobs 1 --solver z3 --output {place}
echo status $?
ls -A {place}
"""


@pytest.mark.parametrize(("size", "status"), [(1024, 0), (48, 2)])
def test_mounted_file_system_is_written_or_full(tmp_path, size, status):
    place = tmp_path / "mounted"
    place.mkdir()
    script = MOUNTED.format(size=size, place=place, python=sys.executable)
    try:
        ended = subprocess.run(
            ["unshare", "-Urm", "sh", "-c", script], capture_output=True, encoding="utf-8", check=False, timeout=120
        )
    except FileNotFoundError:
        pytest.skip("no unshare")
    if "status" not in ended.stdout:
        pytest.skip(f"cannot mount here: {ended.stderr}")
    said, _, found = ended.stdout.partition(f"status {status}\n")
    if status == 0:
        assert {*files.REPORTS, "smt2", files.MARKER} == set(found.split())
    else:
        assert found.split() == [files.MARKER], said
        assert ended.stderr == (
            f"rebalance: cannot write results to {str(place)!r}: No space left on device; "
            "results.json was not written\n"
        )


def test_incomplete_run_is_written_like_a_complete_one(green, tmp_path):
    directory.write(replace(green, unfinished="interrupted"), tmp_path)
    results = json.loads((tmp_path / files.RESULTS).read_text(encoding="utf-8"))
    assert results["complete"] is False
    assert results["exit_status"] == 2
    assert (tmp_path / files.PAGE).exists()


def test_second_run_replaces_the_first_and_keeps_other_files(green, tmp_path):
    with directory.taken(tmp_path):
        directory.write(green, tmp_path)
        (tmp_path / files.LOG).write_text("the first's", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("kept", encoding="utf-8")
    with directory.taken(tmp_path):
        directory.write(replace(green, command="again", claims=()), tmp_path)
    assert json.loads((tmp_path / files.RESULTS).read_text(encoding="utf-8"))["command"] == "again"
    assert {path.name for path in tmp_path.iterdir()} == {*files.REPORTS, files.MARKER, "notes.txt"}


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_impossible_directory_is_refused(tmp_path, place):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OutputError) as raised, directory.taken(tmp_path / place):
        pytest.fail("taken")
    sentence = str(raised.value)
    assert sentence.startswith(f"cannot write results to '{tmp_path / place}': ")
    assert len(sentence.splitlines()) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_read_only_directory_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="Permission denied"), directory.taken(tmp_path):
        pytest.fail("taken")


def test_undecodable_bytes_are_shown_escaped(green, tmp_path):
    directory.write(replace(green, command="rebalance verify --output \udcff"), tmp_path)
    assert "\\udcff" in (tmp_path / files.PAGE).read_text(encoding="utf-8")
    assert json.loads((tmp_path / files.RESULTS).read_text(encoding="utf-8"))["command"].endswith("\udcff")
