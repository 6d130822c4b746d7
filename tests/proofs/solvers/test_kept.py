"""Answers stored on disk: what is read back is a solver's answer to exactly that question, or nothing."""

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import replace
from operator import eq, ge, le
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.smt.text import Assertion, render
from rebalance_proofs.proofs.solvers import SOLVERS, Answer, Outcome, kept
from rebalance_proofs.proofs.solvers.answer import Covered
from rebalance_proofs.proofs.solvers.kept import MARKER, SAYS, Kept, opened
from rebalance_proofs.proofs.solvers.pool import Pool, work, work_cover
from tests.proofs.solvers import workers
from tests.report.snapshot import snapshot

LIMIT = 20.0
TEXT = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (= x (- 5)))\n(check-sat)\n"
ASKED = (TEXT, 0)
ANSWER = Answer("z3", Outcome.SAT, 0.25, {"x": -5, "huge": -(10**30)})
COVERED = Covered(({"x": 1}, {"x": -(10**30)}), ("goal: y",), Answer("z3", Outcome.UNSAT, 0.5))
NUMBERS = st.integers(-(10**20), 10**20) | st.integers(-3, 3)
SUMS = st.tuples(NUMBERS, NUMBERS, NUMBERS, st.sampled_from([le, ge, eq])).map(
    lambda drawn: drawn[3](drawn[0] * smt.Int("x") + drawn[1] * smt.Int("y"), drawn[2])
)
"""Of two unknowns: with or without a solution, alone and together."""
FORMULAS = st.lists(SUMS, min_size=1, max_size=3)
each_solver = pytest.mark.parametrize("solver", SOLVERS)


@pytest.fixture(scope="module")
def shared(tmp_path_factory) -> Path:
    """A folder of answers shared by all examples of a property."""
    return opened(tmp_path_factory.mktemp("answers"), 1).folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that holds the answer to ``ASKED``."""
    opened(tmp_path / "answers", 1).keep(work, "z3", ASKED, ANSWER)
    return tmp_path / "answers"


def found(folder: Path, asked: tuple = ASKED, solver: str = "z3", by=work, timeout: float = LIMIT):
    return Kept(folder, 1).find(by, solver, asked, timeout)


def entry(folder: Path) -> Path:
    (path,) = folder.glob("*/*")
    return path


@each_solver
@given(formulas=FORMULAS, seed=st.sampled_from([0, 7]))
@settings(max_examples=40)
def test_cached_answer_equals_the_fresh_one(shared, solver, formulas, seed):
    asked = (render("random", [Assertion("", formula) for formula in formulas]), seed)
    fresh = work(solver, *asked)
    Kept(shared, 1).keep(work, solver, asked, fresh)
    again = found(shared, asked, solver)
    assert fresh.outcome in (Outcome.SAT, Outcome.UNSAT)
    assert again == replace(fresh, kept=True)
    now = work(solver, *asked)
    assert (again.outcome, again.model) == (now.outcome, now.model)


@each_solver
@given(formulas=FORMULAS)
@settings(max_examples=20)
def test_cached_dialogue_equals_the_fresh_one(shared, solver, formulas):
    flags = [f"goal: {number}" for number in range(len(formulas))]
    named = [smt.Bool(flag) == formula for flag, formula in zip(flags, formulas, strict=True)]
    asked = (render("random", [Assertion("", formula) for formula in named]), tuple((flag,) for flag in flags))
    fresh = work_cover(solver, *asked)
    Kept(shared, 1).keep(work_cover, solver, asked, fresh)
    again = found(shared, asked, solver, work_cover)
    assert fresh.last.outcome in (Outcome.SAT, Outcome.UNSAT)
    assert again == replace(fresh, last=replace(fresh.last, kept=True))


def test_cached_answer_is_marked_and_counted(folder):
    answers = Kept(folder, 1)
    assert answers.find(work, "z3", ASKED, LIMIT) == replace(ANSWER, kept=True)
    assert answers.find(work, "z3", ("other", 0), LIMIT) is None
    assert (answers.given, answers.asked) == (1, 2)
    answers.keep(work_cover, "z3", (TEXT, (("goal: y",),)), COVERED)
    again = answers.find(work_cover, "z3", (TEXT, (("goal: y",),)), LIMIT)
    assert again == replace(COVERED, last=replace(COVERED.last, kept=True))


def test_two_processes_of_a_run_share_an_answer(folder):
    """The questions are distributed to any free process."""
    whole = Kept(folder, 1)
    for more in ((), (("other", 0),)):
        alone = whole.another()
        for asked in (ASKED, *more):
            alone.find(work, "z3", asked, LIMIT)
        assert (alone.given, alone.asked) == (1, 1 + len(more))
        whole.count(alone)
    assert (whole.given, whole.asked) == (1, 2)


@pytest.mark.parametrize(
    "other",
    [
        {"asked": (TEXT + "\n", 0)},
        {"asked": (TEXT.replace("5", "6"), 0)},
        {"asked": (TEXT, 1)},
        {"asked": (TEXT, (("x",),))},
        {"solver": "cvc5"},
        {"by": work_cover},
    ],
)
def test_other_query_has_no_cached_answer(folder, other):
    assert found(folder)
    assert found(folder, **other) is None


def test_other_solver_version_has_no_cached_answer(folder, monkeypatch):
    monkeypatch.setitem(SOLVERS, "z3", replace(SOLVERS["z3"], version=lambda: "4.0.0"))
    assert found(folder) is None


def test_other_solver_code_has_no_cached_answer(folder, monkeypatch):
    monkeypatch.setattr(kept, "_how", lambda: "another source")
    assert found(folder) is None


def test_answer_slower_than_the_limit_is_queried_again(folder):
    assert found(folder, timeout=0.25)
    assert found(folder, timeout=0.2) is None


@pytest.mark.parametrize("outcome", [Outcome.UNKNOWN, Outcome.TIMEOUT, Outcome.CRASH])
def test_undecided_answer_is_not_cached(tmp_path, outcome):
    answers = opened(tmp_path, 1)
    answers.keep(work, "z3", ASKED, Answer("z3", outcome, 0.1))
    answers.keep(work_cover, "z3", ASKED, Covered((), ("x",), Answer("z3", outcome, 0.1)))
    assert not list(tmp_path.glob("*/*"))


@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
def test_damaged_entry_is_ignored(folder, data):
    path = entry(folder)
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    wrong = data.draw(
        st.one_of(
            st.just(whole[:place]),
            st.binary(max_size=40),
            st.binary(min_size=1, max_size=3).map(lambda more: whole[:place] + more + whole[place:]),
            st.binary(min_size=1, max_size=3).map(lambda more: whole[:place] + more + whole[place + len(more) :]),
        )
    )
    try:
        path.write_bytes(wrong)
        assert found(folder) == (replace(ANSWER, kept=True) if wrong == whole else None)
    finally:
        path.write_bytes(whole)


def test_damaged_entry_is_replaced(folder):
    entry(folder).write_bytes(b"{}")
    opened(folder, 1).keep(work, "z3", ASKED, ANSWER)
    assert found(folder)


def test_misplaced_answer_is_ignored(folder):
    path = entry(folder)
    asked = ("(check-sat)", 0)
    opened(folder, 1).keep(work, "z3", asked, ANSWER)
    (other,) = set(folder.glob("*/*")) - {path}
    other.write_bytes(path.read_bytes())
    assert found(folder, asked) is None


@pytest.mark.parametrize("outcome", ["timeout", "maybe"])
def test_cached_undecided_answer_is_ignored(folder, outcome):
    """Even with a matching checksum."""
    path = entry(folder)
    body = path.read_bytes().partition(b"\n")[2].replace(b'"sat"', f'"{outcome}"'.encode())
    path.write_bytes(b'{"sha256": "%s",\n%s' % (kept.sha256(body).hexdigest().encode(), body))
    assert json.loads(path.read_bytes())["outcome"] == outcome
    assert found(folder) is None


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: os.symlink("nowhere", path)])
def test_blocked_cache_path_does_not_block_the_run(folder, make):
    path = entry(folder)
    path.unlink()
    make(path)
    assert found(folder) is None


def test_unwritable_cache_is_reported(folder):
    path = entry(folder)
    path.unlink()
    path.parent.rmdir()
    path.parent.write_text("in the way", encoding="utf-8")
    answers = Kept(folder, 1)
    answers.keep(work, "z3", ASKED, ANSWER)
    assert answers.trouble == "File exists"
    assert path.parent.read_text(encoding="utf-8") == "in the way"


def test_process_that_ends_while_writing_leaves_no_answer(folder):
    """Without any clean-up, as after a kill; the next run stores the answer."""
    entry(folder).unlink()

    def half(path, data):
        with open(path, "wb") as file:
            file.write(data[: len(data) // 2])
        os._exit(1)

    child = os.fork()
    if not child:
        Path.write_bytes = half
        Kept(folder, 1).keep(work, "z3", ASKED, ANSWER)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
    assert found(folder) is None
    opened(folder, 1).keep(work, "z3", ASKED, ANSWER)
    assert found(folder) == replace(ANSWER, kept=True)


def test_several_runs_may_share_a_folder(folder):
    code = """
import sys
from pathlib import Path
from rebalance_proofs.proofs.solvers import Answer, Outcome
from rebalance_proofs.proofs.solvers.kept import opened
from rebalance_proofs.proofs.solvers.pool import work
answers = opened(Path(sys.argv[1]), 2)
for number in range(300):
    asked = (f"question {number}", 0)
    found = answers.find(work, "z3", asked, 1.0)
    assert found is None or found.model == {"x": number}
    answers.keep(work, "z3", asked, Answer("z3", Outcome.SAT, 0.1, {"x": number}))
assert not answers.trouble
"""
    processes = [subprocess.Popen([sys.executable, "-c", code, str(folder)]) for _ in range(3)]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    assert len(list(folder.glob("*/*"))) == 301
    assert found(folder, ("question 299", 0)).model == {"x": 299}


def ask(folder: Path, work, *questions: tuple[str, str, int], timeout: float = LIMIT) -> tuple[list[Answer], Kept]:
    """What a pool says to each of them, and what became of the answers."""
    answers = opened(folder, 1)

    async def one_run() -> list[Answer]:
        async with Pool(("z3", "cvc5"), 1, timeout, work=work, kept=answers) as pool:
            return [await pool.ask(*question) for question in questions]

    return asyncio.run(one_run()), answers


def test_second_run_queries_only_new_answers(tmp_path):
    text = str(tmp_path / "asked")
    first, before = ask(tmp_path / "answers", workers.record, ("z3", text, 0), ("z3", text, 0))
    second, after = ask(tmp_path / "answers", workers.record, ("z3", text, 0), ("cvc5", text, 0))
    assert Path(text).read_text(encoding="utf-8").splitlines() == ["z3 0", "cvc5 0"]
    assert [answer.kept for answer in (*first, *second)] == [False, False, True, False]
    assert (before.given, before.asked, after.given, after.asked) == (0, 1, 1, 2)


def test_ended_solver_is_queried_again(tmp_path):
    for _ in range(2):
        (answer,), answers = ask(tmp_path / "answers", workers.hang, ("z3", "", 0), timeout=0.1)
        assert (answer.outcome, answer.kept, answers.given) == (Outcome.TIMEOUT, False, 0)


def test_new_folder_is_created_and_recognised(tmp_path):
    folder = tmp_path / "some" / "answers"
    assert opened(folder, 5).seed == 5
    assert (folder / MARKER).read_text(encoding="utf-8") == f"{SAYS}\nSeed 5\n"
    assert opened(folder, 6).seed == 5


@pytest.mark.parametrize("line", ["", "Seed", "Seed -1", "Seed 4294967296", "Seed 1 2", "\x00"])
def test_invalid_seed_line_gives_a_new_seed(tmp_path, line):
    (tmp_path / MARKER).write_text(f"{SAYS}\n{line}\n", encoding="utf-8")
    assert opened(tmp_path, 6).seed == 6
    assert opened(tmp_path, 7).seed == 6


def test_empty_file_system_counts_as_empty(tmp_path):
    (tmp_path / "lost+found").mkdir()
    assert opened(tmp_path, 1)


def somebodys(root: Path) -> None:
    (root / "notes.txt").write_text("mine", encoding="utf-8")


def marked(root: Path) -> None:
    somebodys(root)
    (root / MARKER).write_text("something else\n", encoding="utf-8")


def linked(root: Path) -> None:
    somebodys(root)
    (root / "notes.txt").write_text(f"{SAYS}\n", encoding="utf-8")
    (root / MARKER).symlink_to("notes.txt")


def nested(root: Path) -> None:
    somebodys(root)
    (root / MARKER).mkdir()


@pytest.mark.parametrize("make", [somebodys, marked, linked, nested])
def test_foreign_folder_is_unchanged(tmp_path, make):
    make(tmp_path)
    before = snapshot(tmp_path)
    with pytest.raises(UsageError, match="is not empty and contains no answers of earlier runs; name a new or empty"):
        opened(tmp_path, 1)
    assert snapshot(tmp_path) == before


def test_unwritable_folder_is_refused(folder, monkeypatch):
    """The tests may run as a user who can write everywhere."""

    def refused(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refused)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(UsageError, match=r"cannot store answers in '.*answers': Permission denied"):
        opened(folder, 1)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_file_instead_of_a_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UsageError, match="cannot store answers in"):
            opened(path, 1)
