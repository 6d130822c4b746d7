"""``rebalance prove --answers``: a second run does not repeat the questions, and every report says so."""

import json
import re
import shutil
import subprocess
import sys
from functools import partial

import pytest

from rebalance_proofs.proofs.solvers import pool
from rebalance_proofs.proofs.solvers.kept import MARKER
from tests.cli.conftest import Called
from tests.proofs.solvers.workers import hang
from tests.report.snapshot import snapshot

SIX = (
    "allocation.avg.disjoint",
    "allocation.circle.contiguous",
    "allocation.avg.disjoint.without-same-cid-all",
    "allocation.hash.idle",
    "transition.java_v5_2.exact",
    "transition.java_v5_2.kept.push",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Folder of answers that does not exist before the first run."""
    return tmp_path_factory.mktemp("kept") / "answers"


def prove(call, output, folder, *others: str, claims=SIX) -> tuple[Called, dict]:
    called = call("prove", *claims, "--answers", str(folder), "--output", str(output), *others)
    return called, json.loads((output / "results.json").read_text(encoding="utf-8"))


def answers(results):
    """Every answer of a document, and of what lies in it."""
    if isinstance(results, dict):
        yield from results.get("answers", ()) if "file" in results and "name" in results else ()
        results = list(results.values())
    for part in results if isinstance(results, list) else ():
        yield from answers(part)


def plain(results):
    """What does not depend on whether somebody was asked, and when."""
    if isinstance(results, list):
        return [plain(part) for part in results]
    if not isinstance(results, dict):
        return results
    passing = ("kept", "seconds", "started", "command", "left_out")
    return {name: plain(part) for name, part in results.items() if name not in passing}


@pytest.fixture(scope="module")
def first(folder, tmp_path_factory):
    """Results and output lines of the run that filled the folder."""
    output = tmp_path_factory.mktemp("first") / "run"
    done = subprocess.run(
        [sys.executable, "-m", "rebalance_proofs", "prove", *SIX, "--answers", str(folder), "--output", str(output)],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=True,
    )
    return json.loads((output / "results.json").read_text(encoding="utf-8")), done.stdout


@pytest.fixture
def unasked(monkeypatch):
    """Records the questions put to a solver, and answers none."""
    asked = []

    def schedule(*arguments, **_):
        asked.append(arguments)
        raise RuntimeError("a solver was asked")

    monkeypatch.setattr(pool.ProcessPool, "schedule", schedule)
    return asked


def test_first_run_queries_all_answers(first, folder):
    results, out = first
    assert re.search(rf"0 of \d+ answers came from '{folder}'", out)
    assert "KEPT" not in out
    assert results["left_out"] == []
    assert not any(answer["kept"] for answer in answers(results))
    assert results["options"]["answers"] == str(folder)


def test_second_run_queries_no_solver_and_gives_the_same_results(call, first, folder, unasked, tmp_path):
    called, results = prove(call, tmp_path / "run", folder)
    assert (called.status, unasked) == (0, [])
    assert plain(results) == plain(first[0])
    found = list(answers(results))
    assert len(found) > 50
    assert all(answer["kept"] for answer in found)


def test_reports_of_a_cached_run_say_so(call, first, folder, unasked, tmp_path):
    called, results = prove(call, tmp_path / "run", folder)
    (said,) = results["left_out"]
    number = len(list(folder.glob("*/*.json")))
    assert said == (f"{number} of {number} answers came from {str(folder)!r}: no solver ran for these in this run")
    files = {
        name: (tmp_path / "run" / name).read_text(encoding="utf-8")
        for name in ("summary.md", "report.html", "junit.xml")
    }
    for text in (called.out, *files.values()):
        assert f"{number} of {number} answers came from " in text.replace("\\_", "_")
    for text in (called.out, files["report.html"], files["junit.xml"]):
        assert "answers KEPT" in text
    assert "0 solver queries" in called.out
    assert all(claim["seconds"] == 0 for claim in results["claims"])
    assert not re.search(r'<testcase [^>]*classname="(allocation|transition)[^>]*time="(?!0)', files["junit.xml"])
    told = re.findall(r"<b>(?:sat|unsat)</b>,[^<]*(<b>from an earlier run</b>)?", files["report.html"])
    assert told
    assert all(told)


def test_new_claims_are_queried(call, first, folder, tmp_path):
    called, results = prove(call, tmp_path / "run", folder, claims=("allocation.avg.disjoint", "allocation.avg.idle"))
    assert called.status == 0
    assert 0 < sum(answer["kept"] for answer in answers(results)) < len(list(answers(results)))
    (said,) = results["left_out"]
    given, asked = map(int, re.match(r"(\d+) of (\d+) answers", said).groups())
    assert 0 < given < asked
    assert re.search(r"ok  PROVED   allocation\.avg\.idle \(\d+ of \d+ answers KEPT\)", called.out)


def test_other_seed_repeats_vacuity_checks(call, first, folder, tmp_path):
    seed = first[0]["options"]["seed"]
    only = ("allocation.avg.disjoint",)
    _, same = prove(call, tmp_path / "same", folder, claims=only)
    _, other = prove(call, tmp_path / "other", folder, "--seed", str(seed ^ 1), claims=only)
    _, again = prove(call, tmp_path / "again", folder, claims=only)
    assert [results["options"]["seed"] for results in (same, other, again)] == [seed, seed ^ 1, seed]
    widths = [results["claims"][0]["obligations"][0]["width"]["question"]["answers"] for results in (same, other)]
    assert [[answer["kept"] for answer in found] for found in widths] in ([[True], [False]], [[True] * 2, [False] * 2])


def test_damaged_answers_are_queried_again(call, tmp_path):
    folder = tmp_path / "answers"
    only = ("allocation.circle.contiguous",)
    prove(call, tmp_path / "run", folder, claims=only)
    paths = sorted(folder.glob("*/*.json"))
    before = [re.sub(rb'"(sha256|seconds)": .*', b"", path.read_bytes()) for path in paths]
    for path in paths[::2]:
        path.write_bytes(path.read_bytes().replace(b'"sat"', b'"unsat"')[:-1])
    called, results = prove(call, tmp_path / "run", folder, claims=only)
    assert called.status == 0
    assert results["left_out"][0].startswith(f"{len(paths) // 2} of {len(paths)} answers came from")
    assert [re.sub(rb'"(sha256|seconds)": .*', b"", path.read_bytes()) for path in paths] == before


def test_ended_solver_leaves_no_answer(call, monkeypatch, tmp_path):
    monkeypatch.setattr("rebalance_proofs.proofs.prove.Pool", partial(pool.Pool, work=hang, clock=5))
    called, results = prove(
        call, tmp_path / "run", tmp_path / "answers", "--solver", "z3", "--timeout", "0.1", claims=SIX[:1]
    )
    assert called.status == 1
    assert results["left_out"] == []
    assert [path.name for path in (tmp_path / "answers").iterdir()] == [MARKER]


def test_unwritable_answers_are_reported(call, tmp_path):
    folder = tmp_path / "answers"
    only = ("allocation.circle.contiguous",)
    prove(call, tmp_path / "run", folder, claims=only)
    for part in [path for path in folder.iterdir() if path.is_dir()]:
        shutil.rmtree(part)
        part.write_text("in the way", encoding="utf-8")
    called, _ = prove(call, tmp_path / "run", folder, claims=only)
    assert called.status == 0
    assert f"could not store the answers of this run in {str(folder)!r}: File exists" in called.out


def test_invalid_answers_folder_is_found_before_the_run_directory_is_touched(call, tmp_path):
    prove(call, tmp_path / "run", tmp_path / "answers", claims=SIX[1:2])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine", encoding="utf-8")
    before = snapshot(tmp_path)
    called = call("prove", SIX[0], "--answers", str(tmp_path / "mine"), "--output", str(tmp_path / "run"))
    assert called.status == 2
    assert "contains no answers of earlier runs" in called.complaint
    assert snapshot(tmp_path) == before


def test_answers_folder_and_run_directory_are_not_confused(call, tmp_path):
    prove(call, tmp_path / "run", tmp_path / "answers", claims=SIX[1:2])
    before = snapshot(tmp_path)
    for option, name in (("--answers", "run"), ("--output", "answers")):
        assert call("prove", SIX[1], option, str(tmp_path / name)).status == 2
    assert snapshot(tmp_path) == before
