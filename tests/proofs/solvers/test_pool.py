"""The pool of worker processes: every question is asked once, and no solver can hang or end the run."""

import asyncio
import os
import sys
from collections.abc import Callable
from multiprocessing import resource_tracker, spawn
from pathlib import Path

import pebble
import pytest

from rebalance_proofs.proofs.solvers import Answer, Outcome
from rebalance_proofs.proofs.solvers.pool import Pool
from tests.proofs.solvers import workers


def answers(
    work: Callable, *questions: tuple[str, str, int], jobs: int = 1, timeout: float = 30.0, clock: float = 30.0
) -> list[Answer]:
    """The answers to all questions (solver, text, seed), put at the same time."""

    async def ask() -> list[Answer]:
        async with Pool(("z3", "cvc5"), jobs, timeout, work=work, clock=clock) as pool:
            return await asyncio.gather(*(pool.ask(*question) for question in questions))

    return asyncio.run(ask())


def test_each_query_is_sent_once(tmp_path: Path) -> None:
    text = str(tmp_path / "asked")
    same, also, seeded, other = answers(
        workers.record, ("z3", text, 0), ("z3", text, 0), ("z3", text, 1), ("cvc5", text, 0), jobs=2
    )
    assert same is also
    assert (same.solver, seeded.solver, other.solver) == ("z3", "z3", "cvc5")
    assert sorted(Path(text).read_text(encoding="utf-8").splitlines()) == ["cvc5 0", "z3 0", "z3 1"]


def test_all_solvers_are_queried_with_the_seed(tmp_path: Path) -> None:
    async def ask(text: str) -> tuple[Answer, ...]:
        async with Pool(("z3", "cvc5"), work=workers.record) as pool:
            await pool.ask_all(text, seed=7)
            return await pool.ask_all(text, seed=7)

    both = asyncio.run(ask(str(tmp_path / "asked")))
    assert [answer.solver for answer in both] == ["z3", "cvc5"]
    assert sorted((tmp_path / "asked").read_text(encoding="utf-8").splitlines()) == ["cvc5 7", "z3 7"]


@pytest.mark.parametrize("how", ["hang", pytest.param("ignore-sigterm", marks=pytest.mark.slow)])
def test_hanging_worker_is_killed_at_the_limit(how: str, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    ended, following = answers(workers.misbehave, ("z3", f"{how} {pid}", 0), ("z3", "good", 0), timeout=0.5, clock=2)
    assert (ended.outcome, ended.seconds) == (Outcome.TIMEOUT, 0.5)
    assert ended.reason == "z3 was ended after 1 s of the clock"
    assert following.outcome is Outcome.UNSAT
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text(encoding="utf-8")), 0)


def test_computing_worker_is_killed_at_the_limit(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    ended, following = answers(workers.misbehave, ("z3", f"compute {pid}", 0), ("z3", "good", 0), timeout=0.5, clock=99)
    assert (ended.outcome, ended.seconds) == (Outcome.TIMEOUT, 0.5)
    assert ended.reason == "z3 was ended after 0.5 s of computing"
    assert following.outcome is Outcome.UNSAT
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text(encoding="utf-8")), 0)


def test_waiting_for_the_cpu_does_not_count() -> None:
    """On a busy machine an answer takes more wall-clock time, and is the same."""
    rested, following = answers(workers.misbehave, ("z3", "rest 1", 0), ("z3", "rest 0", 0), timeout=0.2)
    assert rested.outcome is following.outcome is Outcome.UNSAT


def test_each_query_has_the_whole_limit() -> None:
    many = answers(workers.compute, *(("z3", "0.15", seed) for seed in range(6)), timeout=0.5)
    assert {answer.outcome for answer in many} == {Outcome.UNSAT}


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("exit", "cvc5 crashed with exit code 3"),
        ("segfault", "cvc5 crashed with exit code -11"),
        ("kill", "cvc5 crashed with exit code -9"),
        ("raise", "cvc5: line 3: unknown constant y more of it"),
    ],
)
def test_broken_worker_is_a_crash_and_the_pool_continues(how: str, reason: str) -> None:
    crashed, following = answers(workers.misbehave, ("cvc5", how, 0), ("cvc5", "good", 0))
    assert (crashed.solver, crashed.outcome, crashed.model) == ("cvc5", Outcome.CRASH, {})
    assert crashed.reason == reason
    assert following.outcome is Outcome.UNSAT


def test_terminal_signals_never_reach_a_worker() -> None:
    first, _, replaced = answers(workers.misbehave, ("z3", "blocked", 0), ("z3", "kill", 0), ("z3", "blocked", 1))
    assert first.reason == replaced.reason == "SIGHUP SIGINT"


def test_unknown_answer_is_passed_on() -> None:
    (answer,) = answers(workers.misbehave, ("z3", "unknown", 0))
    assert (answer.outcome, answer.reason) == (Outcome.UNKNOWN, "incomplete")


def test_error_of_the_caller_ends_the_workers(tmp_path: Path) -> None:
    pid = tmp_path / "pid"

    async def leave() -> None:
        async with Pool(("z3",), 1, 600.0, work=workers.misbehave) as pool:
            asked = asyncio.ensure_future(pool.ask("z3", f"hang {pid}"))
            while not (pid.exists() and pid.read_text(encoding="utf-8")):
                await asyncio.sleep(0.01)
            assert not asked.done()
            raise KeyError("the caller's")

    with pytest.raises(KeyError, match="the caller's"):
        asyncio.run(asyncio.wait_for(leave(), 60))
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text(encoding="utf-8")), 0)


def test_worker_that_starts_late_ends_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """All answers are there, and the pool ends, while the second worker is still starting."""
    late, asked = tmp_path / "python", tmp_path / "asked"
    late.write_text(
        "#!/bin/sh\n"
        f"mkdir {tmp_path}/first 2>/dev/null || {{\n"
        f"trap '' TERM; while [ ! -e {asked} ]; do sleep 0.1; done; sleep 0.5; touch {tmp_path}/late\n"
        "}\n"
        f'exec {sys.executable} "$@"\n',
        encoding="utf-8",
    )
    late.chmod(0o755)
    resource_tracker.ensure_running()
    monkeypatch.setattr(spawn, "_python_exe", os.fsencode(late))
    monkeypatch.setattr(pebble.CONSTS, "term_timeout", 60)  # a busy machine starts Python in some seconds
    (answer,) = answers(workers.record, ("z3", str(asked), 0), jobs=2)
    assert answer.outcome is Outcome.UNSAT
    assert (tmp_path / "late").exists()
    assert capfd.readouterr().err == ""
