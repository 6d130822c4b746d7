"""The run directory: whole or not there at all, and refused in one sentence where it cannot be."""

import json
import os
from dataclasses import replace

import pytest

from report import directory, files
from report.errors import OutputError
from tests.report.runs import DEPENDENT


def named_files(document):
    """Every file that results.json names."""
    if isinstance(document, dict):
        if "answers" in document or "caption" in document:
            yield document["file"]
        for value in document.values():
            yield from named_files(value)
    elif isinstance(document, list):
        for value in document:
            yield from named_files(value)


def test_everything_is_written_and_named(green, tmp_path):
    directory.write(green, tmp_path / "new" / "run")
    root = tmp_path / "new" / "run"
    written = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    reports = {files.RESULTS, files.JUNIT, files.SUMMARY, files.PAGE}
    named = set(named_files(json.loads((root / files.RESULTS).read_text())))
    assert written == reports | named
    assert f"counterexamples/{DEPENDENT}.itf.json" in written
    assert "smt2/allocation.circle.disjoint/mutant-ge-for-eq.violation-2.smt2" in written


def test_every_question_has_its_own_text(green, tmp_path):
    directory.write(green, tmp_path)
    for result in green.claims:
        found = files.text_files(result)
        assert [file.question for file in found] == list(result.questions)
        assert len({file.path for file in found}) == len(found)
        for file in found:
            assert (tmp_path / file.path).read_text() == file.question.text


def test_questions_of_one_name_do_not_overwrite_each_other(green):
    first = green.claims[0]
    step = first.obligations[0]
    again = replace(step, proof=replace(step.proof))
    twice = replace(first, obligations=(step, again))
    assert files.text_file(twice, step.proof) == "smt2/allocation.circle.disjoint/exclusive.smt2"
    assert files.text_file(twice, again.proof) == "smt2/allocation.circle.disjoint/exclusive~2.smt2"


def test_names_stay_inside_the_directory(green):
    first = green.claims[0]
    hostile = replace(first, claim=replace(first.claim, id="../../etc/x y"))
    assert files.trace_file(hostile) == "counterexamples/__.._etc_x_y.itf.json"


def test_results_come_last(green, tmp_path, monkeypatch):
    def fail(run):
        raise OSError(28, "No space left on device")

    directory.write(green, tmp_path)
    monkeypatch.setattr(directory, "page", fail)
    with pytest.raises(OutputError, match="No space left on device"):
        directory.write(green, tmp_path)
    assert not (tmp_path / files.RESULTS).exists()


def test_incomplete_run_is_written_the_same_way(green, tmp_path):
    directory.write(replace(green, unfinished="interrupted"), tmp_path)
    results = json.loads((tmp_path / files.RESULTS).read_text())
    assert results["complete"] is False
    assert results["exit_status"] == 2
    assert (tmp_path / files.PAGE).exists()


def test_writing_twice_overwrites_and_leaves_other_files(green, tmp_path):
    (tmp_path / "spark.log").write_text("kept")
    directory.write(green, tmp_path)
    directory.write(replace(green, command="again"), tmp_path)
    assert json.loads((tmp_path / files.RESULTS).read_text())["command"] == "again"
    assert (tmp_path / "spark.log").read_text() == "kept"


def test_preparing_removes_the_reports_of_an_earlier_run(green, tmp_path):
    directory.write(green, tmp_path)
    directory.prepare(tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == []


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_no_place_for_a_directory(tmp_path, place):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError) as raised:
        directory.prepare(tmp_path / place)
    sentence = str(raised.value)
    assert sentence.startswith(f"cannot write results to '{tmp_path / place}': ")
    assert len(sentence.splitlines()) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_read_only_directory(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="Permission denied"):
        directory.prepare(tmp_path)


def test_bytes_that_are_no_text_are_shown(green, tmp_path):
    directory.write(replace(green, command="rebalance verify --output \udcff"), tmp_path)
    assert "\\udcff" in (tmp_path / files.PAGE).read_text()
    assert json.loads((tmp_path / files.RESULTS).read_text())["command"].endswith("\udcff")
