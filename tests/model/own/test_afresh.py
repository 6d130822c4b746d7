"""Forks of a child process that has loaded the strategy: each gives the results of a fresh process."""

import pytest

from rebalance_proofs.model.own import python
from rebalance_proofs.model.own.call import EXITS, HANGS, MEMORY, Gave, Refused
from rebalance_proofs.model.own.named import named
from rebalance_proofs.model.own.python import PythonWorker
from tests.model.own.test_python import SHORT, call, outcome, worker

COUNTS = """
import random
from itertools import count
number = count()
def allocate(cid, mq_all, cid_all):
    return mq_all[: next(number)]
def draws(cid, mq_all, cid_all):
    return random.sample(mq_all, len(mq_all))
"""


def loaded(folder, source, name="", **limits):
    """A worker of a module with that source."""
    file = folder / "mine.py"
    file.write_text(source, encoding="utf-8")
    return PythonWorker(named(f"{file}{name}"), **limits)


def lengths(outcomes):
    return [len(one.queues) for one in outcomes]


def test_each_batch_starts_from_the_loaded_state(tmp_path):
    calls = [call(9)] * 3
    with loaded(tmp_path, COUNTS) as opened:
        afresh = opened.afresh()
        assert [lengths(afresh.answers(calls)) for _ in range(3)] == [[0, 1, 2]] * 3
        # Nor has it been called itself.
        assert [lengths(opened.answers(calls)) for _ in range(2)] == [[0, 1, 2], [3, 4, 5]]


def test_copies_have_different_random_numbers(tmp_path):
    with loaded(tmp_path, COUNTS, ":draws", seed=1) as opened:
        afresh = opened.afresh()
        assert len({afresh.answers([call(30)])[0].queues for _ in range(3)}) == 3


@pytest.mark.parametrize(
    "name", ["three", "throws", "exits", "gives_null", "changes_mq_all", "forks", "prints", "writes"]
)
def test_copy_gives_the_results_of_a_process(name):
    with worker(name, limit=20.0) as opened:
        afresh = opened.afresh()
        assert [afresh.answers([call()])[0] for _ in range(3)] == [outcome(name, limit=20.0)] * 3


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("exits_at_once", EXITS),
        ("crashes", EXITS),
        ("hangs", HANGS),
        ("hangs_on", HANGS),
        ("writes_to_all", EXITS),
        ("leaves_a_copy", EXITS),
        ("eats_memory", MEMORY),
    ],
)
def test_end_of_a_copy_is_reported_like_that_of_a_process(name, kind):
    limits = {"limit": SHORT if kind == HANGS else 20.0, "memory_mb": 64}
    with worker(name, **limits) as opened:
        (found,) = opened.afresh().answers([call()])
        (again,) = opened.afresh().answers([call()])
    assert found == again == outcome(name, **limits)
    assert isinstance(found, Refused)
    assert found.kind == kind


def test_time_of_the_working_process_is_measured(tmp_path, monkeypatch):
    """The other process waits for it, and would appear idle on a busy machine."""
    source = "import time\ndef allocate(cid, mq_all, cid_all):\n    time.sleep(0.3)\n    return mq_all\n"
    looked, stat = [], python._stat
    monkeypatch.setattr(python, "_stat", lambda pid: looked.append(pid) or stat(pid))
    with loaded(tmp_path, source, limit=20.0) as opened:
        assert isinstance(opened.afresh().answers([call(2)])[0], Gave)
        others = [pid for pid in looked if pid != opened._child._process.pid]
    assert len(set(others)) == 1
    assert len(others) > 2


def test_code_with_threads_after_loading_is_not_copied(tmp_path):
    source = (
        "from threading import Event, Thread\nThread(target=Event().wait, daemon=True).start()\n"
        "def allocate(cid, mq_all, cid_all):\n    return mq_all\n"
    )
    with loaded(tmp_path, source) as opened:
        assert opened.afresh() is None
        assert isinstance(opened.answers([call(2)])[0], Gave)


def test_code_with_open_files_after_loading_is_not_copied(tmp_path):
    """All forks would share the file position, and only the first would read the content."""
    source = (
        "opened, table = open(__file__), None\n"
        "def allocate(cid, mq_all, cid_all):\n"
        "    global table\n"
        "    table = opened.read() if table is None else table\n"
        "    return mq_all if table else []\n"
    )
    with loaded(tmp_path, source) as opened:
        assert opened.afresh() is None
        assert [len(one.queues) for one in opened.answers([call(2)] * 2)] == [2, 2]


def test_code_that_ignores_ended_processes_is_copied(tmp_path):
    source = (
        "import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "def allocate(cid, mq_all, cid_all):\n    return mq_all\n"
    )
    with loaded(tmp_path, source) as opened:
        afresh = opened.afresh()
        assert [len(afresh.answers([call(2)])[0].queues) for _ in range(3)] == [2, 2, 2]
