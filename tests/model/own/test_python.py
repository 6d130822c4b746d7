"""A user's Python function in a child process: any failure is reported, and this process continues."""

import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import monotonic

import pytest

from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.own import python
from rebalance_proofs.model.own.call import (
    EXITS,
    FOREIGN_TYPE,
    HANGS,
    MEMORY,
    NOT_A_LIST,
    NULL,
    PRINTED_LINES,
    THROWS,
    Call,
    Gave,
    Refused,
)
from rebalance_proofs.model.own.child import LEFT
from rebalance_proofs.model.own.named import StrategyError, named
from rebalance_proofs.model.own.python import PythonWorker
from rebalance_proofs.model.queues import one_broker
from tests.model.own.orphaned import outlives

FILE = Path(__file__).parent / "hostile.py"
IDS = client_ids(2)
SHORT = 0.5
"""Seconds for a call that does not return."""
WAITED_FOR = ("closes_all", "writes_a_line_that_never_ends")
"""Do not return either."""


def call(queues: int = 2) -> Call:
    return Call("group", "c1", one_broker(queues), IDS)


def worker(name: str, **limits: float) -> PythonWorker:
    return PythonWorker(named(f"{FILE}:{name}"), **limits)


def outcome(name: str, **limits: float) -> Gave | Refused:
    with worker(name, **limits) as opened:
        (found,) = opened.answers([call()])
    return found


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("throws", THROWS, "throws IndexError: list index out of range (hostile.py:"),
        ("throws_what_nobody_catches", THROWS, "throws KeyboardInterrupt (hostile.py:"),
        ("throws_unspeakably", THROWS, "throws Unspeakable"),
        ("recurses", THROWS, "throws RecursionError: maximum recursion depth exceeded"),
        ("hangs", HANGS, "has not returned after 0.5 s"),
        ("hangs_on", HANGS, "has not returned after 0.5 s"),
        ("exits", EXITS, "ends its process: SystemExit(3)"),
        ("exits_at_once", EXITS, "ends its process with status 4"),
        ("crashes", EXITS, "ends its process (signal 11)"),
        ("leaves_a_copy", EXITS, "ends its process with status 4"),
        ("closes_all", EXITS, "closes its pipes"),
        ("writes_to_all", EXITS, "writes into the pipe that carries its results"),
        ("answers_twice", EXITS, "writes into the pipe that carries its results"),
        ("writes_without_end", EXITS, "writes into the pipe that carries its results"),
        ("writes_a_line_that_never_ends", EXITS, "writes into the pipe that carries its results"),
        ("exits_with_a_lot_to_say", EXITS, f"ends its process: SystemExit({'x' * 200})"),
        ("gives_a_list_without_end", NOT_A_LIST, "returns a list of more than 100,000 queues"),
        ("gives_long_names", NOT_A_LIST, "returns a result of more than 4 MB"),
        ("eats_memory", MEMORY, "uses more than 64 MB of memory"),
        ("gives_null", NULL, "returns None"),
        ("gives_a_set", NOT_A_LIST, "returns a set instead of a list"),
        ("gives_one_queue", NOT_A_LIST, "returns a MessageQueue instead of a list"),
        ("gives_positions", FOREIGN_TYPE, "returns a list with 0 (int), which is not a queue"),
    ],
)
def test_each_kind_of_hostile_code_is_reported(name, kind, said):
    found = outcome(
        name, limit=SHORT if kind == HANGS or name in WAITED_FOR else 20.0, memory_mb=64 if kind == MEMORY else 1024
    )
    assert isinstance(found, Refused)
    assert found.kind == kind
    assert found.what.startswith(said)


@pytest.mark.parametrize("name", ["writes_without_end", "gives_long_names"])
def test_child_output_uses_little_memory_of_the_parent(name):
    outcome(name, limit=20.0)
    before = getrusage(RUSAGE_SELF).ru_maxrss
    outcome(name, limit=20.0)
    assert (getrusage(RUSAGE_SELF).ru_maxrss - before) * 1024 < 3 * python.LONGEST


@pytest.mark.parametrize(("name", "which"), [("changes_mq_all", "mqAll"), ("changes_cid_all", "cidAll")])
def test_changed_argument_list_is_noted_beside_the_result(name, which):
    found = outcome(name)
    assert isinstance(found, Gave)
    assert found.changed == f"changes its argument {which}"


def test_too_long_line_is_not_read_completely(monkeypatch):
    monkeypatch.setattr(python, "LONGEST", 100_000)
    found = outcome("gives_a_lot", limit=20.0)
    assert (found.kind, found.what) == (EXITS, "writes into the pipe that carries its results")


def test_large_answers_arrive_in_parts():
    calls = [call(queues) for queues in range(1, 31)]
    with worker("gives_a_lot", limit=20.0) as opened:
        assert [len(one.queues) for one in opened.answers(calls)] == [90_000 // n * n for n in range(1, 31)]
        assert len(opened._child.ask(python._sent(calls), 20.0)[0]) < len(calls)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
@pytest.mark.parametrize("name", ["forks_and_stays", "forks_twice_and_stays"])
def test_strategy_that_leaves_many_processes_is_ended(name):
    with worker(name, limit=20.0) as opened:
        found = opened.answers([call()] * 200)
    # One that forks twice can be met before it has ended: it counts then, besides its child.
    assert LEFT // 2 < len(found) <= LEFT + 1
    assert found[-1] == Refused(EXITS, f"leaves more than {LEFT} processes running")


def test_ended_copies_do_not_accumulate():
    with worker("forks", limit=20.0) as opened:
        assert len(opened.answers([call()] * 100)) == 100
        process = opened._child._process.pid
        children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    assert len(children) < 50


def test_foreign_queues_are_passed_on():
    first, second = one_broker(2)
    assert outcome("gives_a_null_queue").queues == (None, first, second)
    assert outcome("gives_a_foreign_queue").queues == (first, second, first._replace(broker_name="elsewhere"))
    assert outcome("gives_duplicates").queues == (first, second, first)
    assert outcome("gives_its_own_kind").queues == (first, second)


def test_output_of_the_strategy_is_captured(capfd):
    assert outcome("prints").printed == ("first", "second", "third")[:PRINTED_LINES]
    assert outcome("writes").printed == ("straight to the file",)
    endless = outcome("prints_for_ever", limit=60.0)
    assert isinstance(endless, Refused)
    assert endless.what == "prints or writes more than 4 MB"
    assert endless.printed
    assert capfd.readouterr() == ("", "")


def test_too_long_output_line_is_reported_once(monkeypatch):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # it makes Python drop what there is no room for, unsaid
    with worker("prints_too_long_a_line", limit=60.0) as opened:
        first, second = opened.answers([call(1), call(2)])
    assert (first.what, len(first.printed)) == ("prints or writes more than 4 MB", 1)
    assert second == Gave(one_broker(2))


@pytest.mark.parametrize("name", ["throws_half_a_pair", "exits_with_half_a_pair"])
def test_lone_surrogate_is_escaped(name):
    found = outcome(name)
    assert "\\ud800" in found.what
    for text in (found.what, *found.printed):
        text.encode()
    assert found.printed == ("\\ud800", "\\xed\\xa0\\x80")


def test_output_is_assigned_to_its_call():
    with worker("prints") as printing, worker("three") as silent:
        assert [bool(one.printed) for one in printing.answers([call(), call()])] == [True, True]
        assert silent.answers([call()])[0].printed == ()


@pytest.mark.parametrize(
    ("state", "share", "over"),
    [
        ("R", 1.0, 1.1),
        ("R", 0.25, 4.1),  # it has to share the processor, and is not told to hang for that
        ("D", 0.25, 4.1),
        ("R", 0.0, 5.1),
        ("S", 0.0, 1.1),
        ("", 0.0, 1.1),  # where the system does not say
    ],
)
def test_wait_for_the_cpu_does_not_count(monkeypatch, state, share, over):
    now = [100.0]
    monkeypatch.setattr(python, "monotonic", lambda: now[0])
    monkeypatch.setattr(python, "_stat", lambda pid: (state, now[0] * share))
    time = python._Time(1)
    while not time.over(1.0):
        now[0] += 0.1
    assert now[0] - 100 == pytest.approx(over, abs=0.11)


def test_sleeping_call_hangs_after_the_limit():
    began = monotonic()
    assert outcome("hangs_on", limit=1.0).kind == HANGS
    assert monotonic() - began < 4.0


def test_new_process_continues_after_a_hanging_call():
    calls = [call(queues) for queues in (1, 2, 3, 4, 5)]
    with worker("only_the_third_hangs", limit=SHORT) as opened:
        found = opened.answers(calls)
        assert [type(one) for one in found] == [Gave, Gave, Refused]
        assert found[-1].kind == HANGS
        assert [len(one.queues) for one in opened.answers(calls[len(found) :])] == [4, 5]


@pytest.mark.parametrize("name", ["exits_at_once", "hangs", "eats_memory"])
def test_hopeless_strategy_is_answered_call_by_call(name):
    with worker(name, limit=SHORT, memory_mb=64) as opened:
        for _ in range(2):
            (found,) = opened.answers([call(), call()])
            assert isinstance(found, Refused)


@pytest.mark.parametrize("name", ["forks", "forks_and_throws"])
def test_forked_copy_does_not_answer(name):
    batches = [[call(queues) for queues in sizes] for sizes in ((1, 2), (3, 4, 5), (6,), (7, 8))]
    with worker(name, limit=20.0) as forking, worker("three") as alone:
        for calls in batches:
            assert forking.answers(calls) == alone.answers(calls)


def test_copy_forked_during_loading_does_not_answer(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("import os\nos.fork()\ndef allocate(cid, mq_all, cid_all):\n    return mq_all\n", encoding="utf-8")
    with PythonWorker(named(str(file))) as opened:
        assert [len(opened.answers([call(queues)])[0].queues) for queues in (1, 2, 3)] == [1, 2, 3]


@pytest.mark.parametrize("name", ["three", "Plain", "Plain.allocate", "made"])
def test_functions_objects_and_classes_can_be_named(name):
    if name == "Plain.allocate":
        with pytest.raises(StrategyError, match="takes self, consumer_group"):
            worker(name).__enter__()
        return
    assert isinstance(outcome(name), Gave)


def test_function_gets_three_or_four_arguments():
    with (
        worker("three") as three,
        worker("Plain") as four,
        worker("with_a_default") as default,
        worker("with_any") as any_,
    ):
        assert [one.arguments for one in (three, four, default, any_)] == [3, 4, 3, 4]
        assert all(isinstance(one.answers([call()])[0], Gave) for one in (three, four, default, any_))


def test_strategy_in_a_module_is_found():
    with PythonWorker(named("rebalance_proofs.model.allocation.averagely:allocate")) as opened:
        (found,) = opened.answers([call(3)])
    assert found.queues == (one_broker(3)[2],)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nowhere.py:allocate", "the file 'nowhere.py' does not exist"),
        ("hostile", "'hostile' is not the name of a strategy; write it like mine.py:allocate or package.module:Class"),
        ("", "'' is not the name of a strategy"),
        ("pyproject.toml:allocate", "'pyproject.toml' is not a Python file"),
        ("a b:c", "'a b' is neither a Python file nor the name of a module"),
        (f"{FILE}:nothing", "has no 'nothing'"),
        (f"{FILE}:neither", "neither is of type int; name a function, or an object with allocate"),
        (f"{FILE}:Particular", "cannot be created without arguments"),
        (f"{FILE}:two", "takes mq_all, cid_all; a strategy has to take consumer_group"),
        (f"{FILE}:later", "is a coroutine or a generator"),
        ("no.such.module:f", "no.such.module cannot be loaded: ModuleNotFoundError"),
    ],
)
def test_invalid_strategy_name_prints_one_sentence(text, said):
    with pytest.raises(StrategyError) as error, PythonWorker(named(text)):
        pass
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def allocate(:", "cannot be loaded: SyntaxError"),
        ("import sys; sys.exit(1)", "cannot be loaded: SystemExit: 1"),
        ("import os; os._exit(1)", "cannot be loaded: its code ends the process"),
        ("raise RuntimeError('two\\nlines')", "cannot be loaded: RuntimeError"),
    ],
)
def test_file_that_cannot_be_loaded_is_reported(tmp_path, source, said):
    file = tmp_path / "mine.py"
    file.write_text(source, encoding="utf-8")
    with pytest.raises(StrategyError, match=said), PythonWorker(named(str(file))):
        pass


def test_file_name_alone_means_its_allocate(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def allocate(current_cid, mq_all, cid_all):\n    return mq_all\n", encoding="utf-8")
    assert named(str(file)).what == "allocate"


def test_strategy_may_import_files_beside_it(tmp_path):
    (tmp_path / "helper.py").write_text("def everything(queues):\n    return queues\n", encoding="utf-8")
    file = tmp_path / "mine.py"
    file.write_text(
        "import helper\n\ndef allocate(cid, mq_all, cid_all):\n    return helper.everything(mq_all)\n", encoding="utf-8"
    )
    with PythonWorker(named(str(file))) as opened:
        assert len(opened.answers([call(4)])[0].queues) == 4


def test_file_is_carried_to_other_machines(tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    file = tmp_path / "mine.py"
    words = "x" * 100_000  # more than a pipe takes
    file.write_text(
        f"def allocate(cid, mq_all, cid_all):\n    {words!r}\n    return mq_all[: 4 // (len(mq_all) - 3)]\n",
        encoding="utf-8",
    )
    carried = named(str(file)).carried()
    file.unlink()
    with PythonWorker(carried) as opened:
        gave, refused = opened.answers([call(4), call(3)])
        assert list(temporary.iterdir()) == []
    assert len(gave.queues) == 4
    assert refused.what.endswith("(mine.py:3)")


def test_other_seed_changes_string_hashes():
    found = []
    for seed in range(1, 9):
        with PythonWorker(named(f"{FILE}:goes_by_hashes"), seed=seed) as opened:
            found += opened.answers([call()])
    assert len(set(found)) == 2


def test_files_named_like_python_modules_do_not_interfere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("json", "mmap", "traceback", "queue", "typing"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text("def allocate(cid, mq_all, cid_all):\n    return mq_all\n", encoding="utf-8")
    with PythonWorker(named("mine.py:allocate")) as opened:
        assert len(opened.answers([call(4)])[0].queues) == 4
    with PythonWorker(named("mine:allocate")) as opened:
        assert len(opened.answers([call(4)])[0].queues) == 4


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
@pytest.mark.parametrize("name", ["hangs", "prints_for_ever"])
def test_child_ends_with_a_killed_parent(name):
    opened = f"PythonWorker(named({f'{FILE}:{name}'!r}), limit=600)"
    assert not outlives(opened, "Call('GID', 'c0', one_broker(3), ('c0',))")
