"""``rebalance check``: checking a user-defined strategy."""

import json
import os
import shlex
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from time import sleep

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.recorded import pipes
from rebalance_proofs.report.own.page import FIRST, schema
from tests.cli.process import started
from tests.model.own import hostile
from tests.proofs.own import indexes
from tests.spark_enum.own import differing, strategies

WRONG, HOSTILE, DIFFER = strategies.__file__, hostile.__file__, differing.__file__
SMALL = ("--queues", "3", "--consumers", "3")


def test_all_lists_every_guarantee_and_the_tried_groups(call):
    called = call("check", f"{WRONG}:snake", *SMALL, "--all")
    assert called.status == 0
    assert "  holds          disjoint: No queue is given to two consumers" in called.out
    assert "all 9 groups up to q, c = 3 with ids c0, c1, ...; one broker" in called.out
    assert "  does not hold  monotone: " in called.out
    assert called.out.splitlines()[0] == (
        "OK: returns, inside, disjoint and covers hold in all tried groups, repeats holds in the 36 groups (up to "
        "q, c = 3) with repeated calls. This is not a proof for larger groups or other names. None of the tried names "
        "made a difference."
    )
    assert "PROVED" not in called.out


@pytest.mark.parametrize("name", ["snake", "overlaps"])
def test_answer_is_short_without_all(call, name):
    short, whole = (call("check", f"{WRONG}:{name}", *SMALL, *more) for more in ((), ("--all",)))
    assert short.status == whole.status
    assert short.out.splitlines()[0] == whole.out.splitlines()[0]
    assert len([line for line in short.out.splitlines() if line and not line.startswith("  ")]) <= 10
    assert "Required guarantees that hold: returns, repeats, inside, " in short.out
    assert call("check", f"{WRONG}:{name}", "--all", "--json").status == 2


def test_extent_of_repeated_calls_is_printed(call):
    size = ("--queues", "17", "--consumers", "3")
    called = call("check", f"{WRONG}:snake", *size, "--holds", "returns,repeats", "--all")
    assert called.status == 0
    assert (
        "          repeats: calls repeated in all 48 groups up to q = 16, c = 3 (plain), all 48 groups up to q = 16, "
        "c = 3 (brokers), all 24 groups up to q = 8, c = 3 (odd) and all 24 groups up to q = 8, c = 3 (single)"
    ) in called.out
    assert called.out.splitlines()[0] == (
        "OK: returns and inside hold in all tried groups, repeats holds in the 144 groups (up to q = 16, c = 3) with "
        "repeated calls. This is not a proof for larger groups or other names. None of the tried names made a "
        "difference."
    )


def test_broken_guarantee_is_drawn_and_its_group_can_be_checked_again(call):
    called = call("check", f"{WRONG}:overlaps", *SMALL)
    assert called.status == 1
    lines = called.out.splitlines()
    at = lines.index("disjoint: No queue is given to two consumers")
    assert lines[at + 1 : at + 6] == [
        "  2 consumers, 2 queues. Queue 1 is consumed by both c0 and c1.",
        "            0 1",
        "  c0        # #",
        "  c1        . #",
        "  taken by  1 2",
    ]
    command = next(line for line in lines[at:] if "reproduce: " in line).partition("reproduce: rebalance ")[2]
    again = call(*command.split())
    assert again.status == 1
    assert again.out.splitlines()[0] == lines[0] == "BROKEN: disjoint"


def test_command_to_reproduce_has_all_options(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("ids.txt").write_text("b\na\n", encoding="utf-8")
    Path("queues.txt").write_text("broker-a 0\nbroker-a 1\nbroker-a 2\n", encoding="utf-8")
    limits = ("--limit", "3", "--memory", "512")
    files = ("--ids", "ids.txt", "--queues", "queues.txt")
    called = call("check", f"{WRONG}:overlaps", "--same-as", "AVG", *limits, *files, "--consumers", "2")
    assert called.status == 1
    command = shlex.split(called.out.partition("reproduce: ")[2].splitlines()[0])
    at = command.index("--holds")
    assert command[:at] == ["rebalance", "check", f"{WRONG}:overlaps", "--same-as", "AVG", *limits, *files]
    again = call(*command[1:])
    assert (again.status, again.out.splitlines()[0]) == (1, called.out.splitlines()[0])
    Path("brokers.txt").write_text("broker-a 3\n", encoding="utf-8")
    called = call("check", f"{WRONG}:overlaps", "--brokers", "brokers.txt", "--consumers", "2")
    command = shlex.split(called.out.partition("reproduce: ")[2].splitlines()[0])
    assert command[: command.index("--holds")] == [
        *("rebalance", "check"),
        f"{WRONG}:overlaps",
        *("--brokers", "brokers.txt"),
    ]


def test_failure_after_other_calls_is_neither_drawn_nor_tested(call, tmp_path):
    test, page = tmp_path / "test_mine.py", tmp_path / "page.html"
    size = ("--queues", "8", "--consumers", "8")
    named = (f"{WRONG}:wrong_after_a_while", *size)
    called = call("check", *named, "--write-test", str(test), "--report", str(page))
    assert called.status == 1
    assert (
        "\n  only after other calls: a fresh process that checks this group alone does not reproduce it\n\n"
        "covers: Every queue is given to some consumer\n"
    ) in called.out
    assert "\nrepeats: " in called.out
    assert "A fresh process does not repeat the violation of covers" in called.out
    assert "reproduce: " not in called.out
    assert "BROKEN: repeats, covers" in called.out
    assert "No test written" in called.out
    assert not test.exists()
    assert "does not reproduce it)" in page.read_text(encoding="utf-8")
    answer = json.loads(call("check", *named, "--json").out)
    Draft202012Validator(schema()).validate(answer)
    (covers,) = [row for row in answer["rows"] if row["name"] == "covers"]
    assert covers["smallest"]["reproduce"] is None


def test_holds_names_the_required_guarantees(call):
    assert call("check", f"{WRONG}:rendezvous", *SMALL, "--holds", "disjoint,covers").status == 0
    called = call("check", f"{WRONG}:rendezvous", *SMALL, "--holds", "disjoint,covers,balanced")
    assert called.status == 1
    assert called.out.splitlines()[0] == "BROKEN: balanced"


@pytest.mark.parametrize("holds", ["covers", "disjoint,covers", "sublist"])
def test_repeatable_answers_are_always_required(call, holds):
    """The strategy divides well within each process, but not between processes."""
    called = call("check", f"{DIFFER}:salted", *SMALL, "--holds", holds, "--all")
    assert called.status == 1
    first, _, _, why, *_ = called.out.splitlines()
    assert first == "BROKEN: repeats"
    assert why.startswith("Its answers are not repeatable: it uses hash(), whose values differ between processes")
    assert "Required (returns, repeats and inside always are):" in called.out
    assert "If a separate process computes the second result: queue " in called.out
    assert "\n  taken by  2\n" in called.out


def test_guarantee_that_is_not_required_is_not_called_broken(call):
    called = call("check", f"{WRONG}:snake", "--queues", "4", "--consumers", "3", "--holds", "disjoint", "--all")
    assert called.status == 0
    assert "  does not hold  contiguous: " in called.out
    assert "broken" not in called.out.casefold()


def test_random_strategy_is_drawn_and_its_tests_fail(call, tmp_path):
    test = tmp_path / "test_mine.py"
    called = call("check", f"{DIFFER}:draws", *SMALL, "--write-test", str(test))
    assert called.status == 1
    assert "it uses random numbers" in called.out
    assert "only after other calls" not in called.out
    assert "repeats: It repeats its results" in called.out.partition("Required")[0]
    assert "reproduce: " in called.out
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    done = subprocess.run(run, capture_output=True, encoding="utf-8", check=False, cwd=tmp_path)
    assert done.returncode == 1, done.stdout
    assert "passed" not in done.stdout.splitlines()[-1]
    group = ("--group", "agreed/plain/2x3")  # of many groups, each of the many broken guarantees is computed again
    document = json.loads(call("check", f"{DIFFER}:draws", *group, "--json").out)
    Draft202012Validator(schema()).validate(document)
    assert document["depends_on"]["what"] == "random"


def test_user_names_are_tried_too(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("ids.txt").write_text("10.0.0.1@w3\n\n10.0.0.2@w1\n# old\n10.0.0.3@w1\n", encoding="utf-8")
    Path("brokers.txt").write_text("az1-a 2\naz2-b 1\n", encoding="utf-8")
    Path("queues.txt").write_text("orders az1-a 1\norders az1-a 0\naz2-b 7\n", encoding="utf-8")
    mine = ("check", f"{DIFFER}:by_weight", *SMALL, "--holds", "balanced")
    called = call("check", f"{WRONG}:snake", *SMALL, "--holds", "balanced")
    assert called.status == 0
    assert "None of the tried names made a difference" in called.out.splitlines()[0]
    assert "--ids FILE, --brokers FILE and --queues FILE try your names." in called.out
    assert call(*mine).out.splitlines()[:2] == [
        "BROKEN: balanced",
        "Names that contain texts of the code ('@w1', '@w3'): tried 81 of 81 groups of 14 client ids, each with 13 "
        "lists of queues.",
    ]
    called = call(*mine, "--ids", "ids.txt")
    assert (called.status, called.out.splitlines()[0]) == (1, "BROKEN: balanced")
    assert "10.0.0.1@w3 has 6 queues, 10.0.0.2@w1 has 2." in called.out
    assert "with all tried kinds of names" not in called.out
    command = called.out.partition("reproduce: rebalance ")[2].splitlines()[0]
    assert "--ids ids.txt" in command
    assert call(*shlex.split(command)).out.splitlines()[0] == "BROKEN: balanced"
    for *option, lists in (("--brokers", "brokers.txt", 4), ("--queues", "queues.txt", 4)):
        called = call("check", f"{WRONG}:snake", "--consumers", "2", "--holds", "disjoint", "--all", *option)
        assert called.status == 0
        assert (
            f"Your own queues: tried 15 of 15 groups of 4 client ids, each with {lists} lists of queues." in called.out
        )
        assert "It takes the same positions with all tried kinds of names, including yours." in called.out


@pytest.mark.parametrize(
    ("option", "content", "said"),
    [
        ("--ids", "", "--ids: 'names.txt' contains no names"),
        ("--ids", "a\nb\na\n", "--ids: 'a' is listed twice"),
        ("--ids", "a b", "--ids: 'a b' has too many words; write one client id on each line"),
        ("--brokers", "broker-a many", "--brokers: 'broker-a many' has to be a broker with 1 to 512 queues"),
        ("--brokers", "broker-a 9999", "--brokers: 'broker-a 9999' has to be a broker with 1 to 512 queues"),
        ("--queues", "broker-a", "--queues: 'broker-a' is not a queue; write TOPIC BROKER QUEUEID"),
        ("--queues", "\xff", "--queues: cannot read 'names.txt': it is not a text file"),
    ],
)
def test_malformed_list_of_names_is_reported(call, tmp_path, monkeypatch, option, content, said):
    monkeypatch.chdir(tmp_path)
    Path("names.txt").write_bytes(content.encode("latin-1"))
    called = call("check", f"{WRONG}:snake", option, "names.txt")
    assert (called.status, called.out) == (2, "")
    assert said in called.complaint


def test_pipe_without_a_writer_is_reported(call, tmp_path, monkeypatch):
    monkeypatch.setattr(pipes, "SECONDS", 0.1)
    os.mkfifo(tmp_path / "pipe")
    called = call("check", f"{WRONG}:snake", "--ids", str(tmp_path / "pipe"))
    assert (called.status, called.out) == (2, "")
    assert "no process has written to that pipe for 0.1 s" in called.complaint


@pytest.mark.parametrize(("typed", "meant"), [("disjiont", "disjoint"), ("ballanced", "balanced"), ("cover", "covers")])
def test_misspelt_guarantee_has_a_suggestion(call, typed, meant):
    assert (
        f"unknown guarantee {typed!r}; did you mean {meant!r}?"
        in call("check", f"{WRONG}:snake", "--holds", typed).complaint
    )


def test_hanging_strategy_is_reported_with_its_call(call):
    called = call("check", f"{HOSTILE}:hangs", "--limit", "0.2", "--all")
    assert called.status == 1
    assert "1 consumer, 1 queue: The call of c0 has not returned after 0.2 s.  [agreed/plain/1x1]" in called.out
    assert called.out.splitlines()[0] == "BROKEN: returns; not judged: repeats, inside, disjoint, covers"
    assert "--limit 0.2 --holds returns --group agreed/plain/1x1" in called.out


def test_number_of_unchecked_groups_is_printed_with_the_reason(call):
    called = call("check", f"{WRONG}:never", *SMALL, "--same-as", "avg")
    assert "checked in 0 of 36 groups: in 36 a call returned no list" in called.out


def test_printed_output_is_reported(call):
    called = call("check", f"{HOSTILE}:prints", "--group", "agreed/plain/1x1")
    assert called.status == 0
    assert "It prints, first in the call of c0 with 1 queue, 1 id: first / second / third" in called.out
    assert called.err == ""


@pytest.mark.parametrize("name", ["throws_half_a_pair", "gives_half_a_pair"])
def test_lone_surrogate_is_written_to_report_and_test(call, tmp_path, name):
    page, test = tmp_path / "page.html", tmp_path / "test_mine.py"
    called = call(
        "check", f"{HOSTILE}:{name}", "--group", "agreed/plain/1x1", "--report", str(page), "--write-test", str(test)
    )
    assert called.status == 1
    assert called.err == ""
    assert page.read_text(encoding="utf-8")
    compile(test.read_text(encoding="utf-8"), str(test), "exec")


@pytest.mark.parametrize("there", [False, True])
def test_incomplete_file_is_removed(call, tmp_path, monkeypatch, there):
    page = tmp_path / "page.html"
    if there:
        page.write_text(f"{FIRST}\nan older one", encoding="utf-8")

    def fills(path, data):
        with open(path, "wb") as file:
            file.write(data[:9])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fills)
    called = call("check", f"{WRONG}:snake", "--group", "agreed/plain/1x1", "--report", str(page))
    assert called.status == 2
    assert ": No space left on device" in called.complaint
    assert page.exists() == there


def test_two_strategies_are_compared(call):
    called = call("check", f"{WRONG}:from_the_end", "--same-as", "avg", "--all")
    assert called.status == 1
    assert "2 consumers, 1 queue" not in called.out
    assert "2 consumers, 2 queues: c0 gets [1] from" in called.out
    assert call("check", f"{WRONG}:snake", "--same-as", f"{WRONG}:snake", *SMALL).status == 0


def test_strategy_without_an_answer_is_named(call):
    called = call("check", f"{WRONG}:snake", "--same-as", f"{WRONG}:never", *SMALL)
    assert called.status == 1
    called = call("check", f"{WRONG}:snake", "--same-as", f"{WRONG}:never", *SMALL, "--holds", "returns.same-as")
    assert f"The call of {WRONG}:never of c0 throws NotImplementedError" in called.out


def test_built_in_strategy_equals_itself(call):
    own = "rebalance_proofs.model.allocation.averagely:allocate"
    called = call("check", own, "--same-as", "AVG", *SMALL, "--all")
    assert called.status == 0
    assert "holds          same: Both strategies give each consumer the same list" in called.out


@pytest.mark.parametrize("name", ["snake", "overlaps", "throws_without_a_queue"])
def test_json_matches_its_schema(call, name):
    called = call("check", f"{WRONG}:{name}", *SMALL, "--json")
    answer = json.loads(called.out)
    Draft202012Validator.check_schema(schema())
    Draft202012Validator(schema()).validate(answer)
    assert answer["ok"] == (called.status == 0)
    assert [row["name"] for row in answer["rows"] if row["required"]] == answer["required"]
    broken = {row["name"]: row for row in answer["rows"] if row["holds"] == "broken"}
    assert all(row["smallest"]["stages"] for row in broken.values())
    if name == "overlaps":
        (stage,) = broken["disjoint"]["smallest"]["stages"]
        assert [len(consumer["returns"]) for consumer in stage["consumers"]] == [2, 1]


@pytest.mark.parametrize("name", ["overlaps", pytest.param("throws_without_a_queue", marks=pytest.mark.slow)])
def test_written_test_fails_now_and_passes_when_the_strategy_is_fixed(call, tmp_path, name):
    mine, test = tmp_path / "mine.py", tmp_path / "tests" / "test_mine.py"
    test.parent.mkdir()
    source = Path(WRONG).read_text(encoding="utf-8")
    mine.write_text(source, encoding="utf-8")
    required = "returns,inside,disjoint,balanced"
    assert call("check", f"{mine}:{name}", *SMALL, "--holds", required, "--write-test", str(test)).status == 1
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    before = subprocess.run(run, capture_output=True, encoding="utf-8", check=False, cwd=tmp_path)
    assert before.returncode == 1
    assert "passed" not in before.stdout
    mine.write_text(f"{source}\n\n{name} = lambda cid, queues, ids: snake('', cid, queues, ids)\n", encoding="utf-8")
    after = subprocess.run(run, capture_output=True, encoding="utf-8", check=False, cwd=tmp_path)
    assert after.returncode == 0, after.stdout


def test_written_test_uses_the_same_consumer_group(call, tmp_path):
    mine, test = tmp_path / "mine.py", tmp_path / "test_mine.py"
    mine.write_text(
        "def allocate(consumer_group, cid, mq_all, cid_all):\n"
        "    return mq_all[cid_all.index(cid) :: len(cid_all)] if consumer_group == 'group' else []\n",
        encoding="utf-8",
    )
    assert call("check", f"{mine}:allocate", *SMALL, "--holds", "covers", "--write-test", str(test)).status == 1
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    done = subprocess.run(run, capture_output=True, encoding="utf-8", check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert "1 failed" in done.stdout
    assert "take(group, queues" in test.read_text(encoding="utf-8")


def test_written_test_of_a_hanging_call_does_not_hang(call, tmp_path):
    test = tmp_path / "test_mine.py"
    call("check", f"{HOSTILE}:hangs", "--limit", "0.2", "--group", "agreed/plain/1x1", "--write-test", str(test))
    assert '"--limit",\n        "0.2"' in test.read_text(encoding="utf-8")
    compile(test.read_text(encoding="utf-8"), str(test), "exec")


def test_no_test_is_written_if_nothing_fails(call, tmp_path):
    test = tmp_path / "test_mine.py"
    called = call("check", f"{WRONG}:snake", "--group", "agreed/plain/2x3", "--write-test", str(test))
    assert "No test written" in called.out
    assert not test.exists()


def test_other_file_is_not_overwritten(call, tmp_path):
    test = tmp_path / "test_mine.py"
    for precious in ("precious = 1\n", f'"""Of {WRONG}:overlaps, by hand."""\n'):
        test.write_text(precious, encoding="utf-8")
        called = call("check", f"{WRONG}:overlaps", "--group", "agreed/plain/2x2", "--write-test", str(test))
        assert called.status == 2
        assert "already exists" in called.err
        assert called.out == ""
        assert test.read_text(encoding="utf-8") == precious


def test_own_file_is_overwritten(call, tmp_path):
    test = tmp_path / "test_mine.py"
    for _ in range(2):
        called = call("check", f"{WRONG}:overlaps", "--group", "agreed/plain/2x2", "--write-test", str(test))
        assert called.status == 1


@pytest.mark.parametrize("option", ["--report", "--write-test"])
def test_unwritable_output_is_reported_at_once(call, tmp_path, option):
    called = call("check", f"{WRONG}:overlaps", *SMALL, option, str(tmp_path / "nowhere" / "file"))
    assert called.status == 2
    assert "does not exist" in called.complaint
    assert called.out == ""


@pytest.mark.parametrize("option", ["--report", "--write-test"])
def test_folder_as_output_is_refused_at_once(call, tmp_path, option):
    called = call("check", f"{WRONG}:snake", *SMALL, option, str(tmp_path))
    assert (called.status, called.out) == (2, "")
    assert "is a directory" in called.err


def test_report_has_a_picture_of_each_smallest_group(call, tmp_path):
    page = tmp_path / "page.html"
    call("check", f"{WRONG}:overlaps", *SMALL, "--report", str(page))
    text = page.read_text(encoding="utf-8")
    assert '<section class="finding" id="disjoint">' in text
    assert text.count("<svg") == text.count('<section class="finding"') > 3
    assert "--holds disjoint --group agreed/plain/2x2" in text
    assert "http" not in text.replace("http://www.w3.org", "").replace("http-equiv", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere.py:f",), "the file 'nowhere.py' does not exist"),
        ((f"{WRONG}:nothing",), "has no 'nothing'"),
        (
            (f"{WRONG}:snake", "--holds", "tidy"),
            "--holds: unknown guarantee 'tidy'; the guarantees are returns, repeats, inside",
        ),
        (
            (f"{WRONG}:snake", "--same-as", "best"),
            "unknown strategy 'best'; name your own like other.py:allocate, or one of avg, circle",
        ),
        ((f"{WRONG}:snake", "--group", "agreed/plain/0x1"), "is not "),
        ((f"{WRONG}:snake", "--group", "join/plain/2x1"), "is not "),
        ((f"{WRONG}:snake", "--group", "join/plain/2x1/2"), "is not "),
        ((f"{WRONG}:snake", "--group", "same-as/plain/2x1"), "add --same-as"),
        ((f"{WRONG}:snake", "--group", "agreed/plain/2x1", "--queues", "3"), "--group checks one group"),
        ((f"{WRONG}:snake", "--queues", "0"), "--queues 0 is out of range"),
        ((f"{WRONG}:snake", "--limit", "0"), "--limit"),
        ((f"{WRONG}:snake", "--report", "nowhere/page.html", "--group", "agreed/plain/1x1"), "cannot write"),
    ],
)
def test_wrong_call_ends_with_one_sentence(call, arguments, said):
    called = call("check", *arguments)
    assert called.status == 2
    assert said in called.complaint


def test_page_overwrites_only_its_own_file(call, tmp_path):
    """It does not overwrite the strategy either."""
    mine, page = tmp_path / "mine.py", tmp_path / "page.html"
    mine.write_text("def allocate(group, me, queues, ids):\n    return []\n", encoding="utf-8")
    called = call("check", str(mine), "--report", str(mine))
    assert (called.status, called.out) == (2, "")
    assert "already exists, and this command did not write it" in called.complaint
    page.write_text("", encoding="utf-8")  # as mktemp leaves it
    for _ in range(2):
        assert call("check", str(mine), "--group", "agreed/plain/1x1", "--report", str(page)).status == 1
        assert page.read_text(encoding="utf-8").startswith(
            "<!doctype html><!-- written by: rebalance check -->\n<html "
        )


@pytest.mark.parametrize("method", ["open", "is_file"])
def test_unreadable_file_is_reported(call, tmp_path, monkeypatch, method):
    """Root can read any file, so the error is simulated."""
    mine = tmp_path / "mine.py"
    mine.write_text("", encoding="utf-8")

    def forbidden(path, *arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(mine), method, forbidden)
    called = call("check", f"{mine}:allocate")
    assert (called.status, called.out) == (2, "")
    assert f"cannot read '{mine}': Permission denied" in called.complaint


def test_file_that_is_not_python_is_reported(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.json").write_text("{}", encoding="utf-8")
    assert "'mine.json' is not a Python file" in call("check", "mine.json:allocate").complaint


def test_check_starts_no_solver_and_no_spark():
    """PySpark is not loaded either: an answer takes no longer than the strategy's calls."""
    source = (
        "import sys\nfrom rebalance_proofs.cli.main import main\n"
        f"try:\n    main(['check', {WRONG + ':snake'!r}, '--group', 'agreed/plain/3x4'])\n"
        "except SystemExit as ended:\n    assert not ended.code\n"
        "assert 'pyspark.sql' not in sys.modules\n"
        "import multiprocessing\nassert not multiprocessing.active_children()\n"
    )
    subprocess.run([sys.executable, "-c", source], check=True, capture_output=True)


def test_proof_names_its_code(call):
    strategy = f"{indexes.__file__}:remainder_to_the_last"
    called = call("check", strategy, "--holds", "disjoint", "--queues", "2", "--consumers", "2", "--prove", "--json")
    answer = json.loads(called.out)
    Draft202012Validator(schema()).validate(answer)
    assert [(proof["name"], proof["proved"]) for proof in answer["proofs"]] == [
        (name, True) for name in ("returns", "inside", "disjoint", "balanced", "covers")
    ]
    hashed = sha256(Path(indexes.__file__).read_bytes()).hexdigest()
    assert answer["strategy"]["sha256"] == hashed
    assert {proof["code"] for proof in answer["proofs"]} == {f"remainder_to_the_last in indexes.py (sha256 {hashed})"}


def test_proof_names_its_constants(call):
    strategy = f"{indexes.__file__}:as_many_as_the_limit"
    called = call("check", strategy, "--holds", "disjoint", "--queues", "2", "--consumers", "2", "--prove")
    assert called.status == 0
    assert " and of its callees, with LIMIT = 8:\n  PROVED      returns: " in called.out


def test_common_reason_for_no_proof_is_printed_once(call):
    strategy = f"{indexes.__file__}:idles_two_ids"
    called = call("check", strategy, "--holds", "disjoint", "--queues", "2", "--consumers", "2", "--prove")
    assert called.out.count("not proved") == called.out.count("the consumer's own id in a comparison") == 1
    assert "not proved  returns, inside, disjoint, balanced, covers: the code cannot be run symbolically" in called.out
    assert "PROVED " not in called.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--owner", "p % c"), "--owner needs --prove"),
        (("--prove", "--owner", "p % d"), "--owner: 'd' in 'p % d' is not supported"),
    ],
)
def test_owner_is_a_term_for_proofs(call, options, said):
    called = call("check", f"{indexes.__file__}:blocks", *options)
    assert called.status == 2
    assert said in called.complaint


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_the_strategy_and_removes_its_folder(tmp_path, number, monkeypatch):
    said, mine, temporary = tmp_path / "pid", tmp_path / "mine.py", tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    mine.write_text(
        "import os\n\ndef allocate(cid, mq_all, cid_all):\n"
        f"    open({str(said)!r}, 'w').write(f'{{os.getpid()}}\\n')\n    while True: pass\n",
        encoding="utf-8",
    )
    with started(
        "check", f"{mine}:allocate", "--limit", "60", stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        while not (said.exists() and said.read_text(encoding="utf-8").endswith("\n")):
            assert process.poll() is None
            sleep(0.05)
        process.send_signal(number)
        process.send_signal(number)
        _, err = process.communicate()
    assert process.returncode == {signal.SIGINT: 2, signal.SIGTERM: 143}[number]
    assert err.strip().startswith("rebalance: ")
    with pytest.raises(ProcessLookupError):
        os.kill(int(said.read_text(encoding="utf-8")), 0)
    assert list(temporary.iterdir()) == []
