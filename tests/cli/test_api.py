"""The public functions: each returns what its command prints with ``--json``, and refuses what the command refuses."""

import doctest
import importlib.util
import json
import os
import subprocess
import sys
import types
import typing

import numpy as np
import pytest

import rebalance_proofs
from rebalance_proofs import UsageError, allocate, audit, check, documents, explain, judge
from rebalance_proofs.report.schemas import published
from tests.each import each
from tests.faults.tree import ROOT

LOGS = str(ROOT / "recorded" / "logs" / "java-4.9.8" / "b_sigstop")
MINE = "def allocate(group, me, queues, ids):\n    return queues[ids.index(me)::len(ids)]\n"
TIMED = ("seconds",)
"""Fields that differ between two runs."""


def same(document, printed):
    """Whether a document is the printed one, times of this run aside."""
    found = json.loads(printed)
    return {**document, **dict.fromkeys(TIMED)} == {**found, **dict.fromkeys(TIMED)}


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """Name of a user-defined strategy, in a file of the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    return "mine.py:allocate"


def test_shares_are_those_of_the_command(call, mine):
    done = call("shares", "--strategy", f"avg,{mine}", "--topic", "a=4", "--topic", "b=2", "--brokers", "x,y",
                "--ids", "c,d,e", "--sees", "e=c,e", "--knows", "d=1", "--subscribe", "c=a", "--json")  # fmt: skip
    found = allocate(
        ["avg", mine],
        topics={"a": 4, "b": 2},
        brokers=["x", "y"],
        ids=["c", "d", "e"],
        sees={"e": ["c", "e"]},
        knows={"d": 1},
        subscribe={"c": ["a"]},
    )
    assert same(found, done.out)
    done = call(
        "shares", "--strategy", "config", "--brokers", "x:3", "--consumers", "2", "--config", "c0=0,2", "--json"
    )
    assert same(allocate("config", brokers={"x": 3}, consumers=2, config={"c0": [0, 2]}), done.out)


def test_audit_is_that_of_the_command(call):
    options = ("--zone", "+08:00", "--from", "10:00", "--never", "two,back", "--allow", "two=30s", "--client", "4.9.8")
    found = audit(
        LOGS,
        zones={"": 8 * 3_600_000},
        begin="10:00",
        never=["two", "back"],
        allowed={"two": 30_000},
        client="4.9.8",
    )
    assert same(found, call("audit", LOGS, *options, "--json").out)
    assert found["groups"]


def test_check_is_that_of_the_command(call, mine):
    done = call("check", mine, "--queues", "3", "--consumers", "2", "--holds", "disjoint,covers", "--json")
    assert same(check(mine, queues=3, consumers=2, holds=["disjoint", "covers"]), done.out)


@each(
    ("words", "arguments"),
    [
        ((), {}),
        (
            ("twice", "--after", "deploy", "--queues", "one", "--for", "2m", "--over", "--client", "5.2"),
            {"about": "twice", "after": "deploy", "reach": "one", "lasted": 120_000, "over": True, "client": "5.2"},
        ),
        (("one queue stands still", "--mode", "push"), {"about": "one queue stands still", "mode": "push"}),
        (("subscription not exist", "--strategy", "hash"), {"about": "subscription not exist", "strategy": "hash"}),
    ],
)  # fmt: skip
def test_explanation_is_that_of_the_command(words, arguments, call):
    assert same(explain(**arguments), call("why", *words, "--json").out)


def test_explanation_of_a_file_is_that_of_the_command(call, tmp_path):
    paste = tmp_path / "paste.txt"
    paste.write_text("CODE: 24  DESC: the consumer's subscription not exist\n", encoding="utf-8")
    assert same(explain(files=[paste]), call("why", "--file", str(paste), "--json").out)


def test_judgement_is_that_of_the_command(call):
    claim = "allocation.hash.disjoint.without-same-cid-all"
    printed = json.loads(call("show", claim, "--seed", "1", "--jobs", "1", "--json").out)
    found = judge(claim, seed=1)
    assert {name: value for name, value in found.items() if name not in ("seconds", "search")} == {
        name: value for name, value in printed.items() if name not in ("seconds", "search")
    }
    assert found["green"]


def test_script_with_an_event_loop_and_without_a_main_guard_can_judge(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import asyncio, rebalance_proofs as r\n"
        "async def work():\n    return r.judge('allocation.hash.disjoint.without-same-cid-all', solvers=['z3'])\n"
        "print(asyncio.run(work())['verdict'])\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.stdout, done.stderr) == ("REFUTED\n", "")


@each(
    ("function", "arguments", "command"),
    [
        (allocate, {"strategies": ["fair"]}, ("shares", "--strategy", "fair")),
        (allocate, {"sees": {"c9": ["c0"]}}, ("shares", "--sees", "c9=c0")),
        (allocate, {"ids": ["a", "a"]}, ("shares", "--ids", "a,a")),
        (allocate, {"brokers": 0}, ("shares", "--brokers", "0")),
        (allocate, {"queues": 4, "topics": {"a": 4}}, ("shares", "--queues", "4", "--topic", "a=4")),
        (allocate, {"java": ["com.acme.Mine"]}, ("shares", "--java", "com.acme.Mine")),
        (check, {"strategy": "none.py:f"}, ("check", "none.py:f")),
        (check, {"strategy": "com.acme.Mine", "java": True}, ("check", "--java", "com.acme.Mine")),
        (check, {"strategy": "none.py:f", "sample": True}, ("check", "none.py:f", "--sample")),
        (explain, {"about": "twice", "client": "9.9.9x"}, ("why", "twice", "--client", "9.9.9x", "--json")),
        (explain, {"about": "twice", "client": "5.2,go"}, ("why", "twice", "--client", "5.2,go", "--json")),
        (explain, {"about": "twice", "lasted": 0}, ("why", "twice", "--for", "0s")),
        (judge, {"claim": "no.such"}, ("show", "no.such")),
        (judge, {"claim": "allocation.avg.*"}, ("show", "allocation.avg.*")),
    ],
)
def test_wrong_input_raises_the_sentence_of_the_command(function, arguments, command, call):
    with pytest.raises(UsageError) as raised:
        function(**arguments)
    assert call(*command).complaint == f"rebalance: {raised.value}"


@each(
    ("paths", "arguments", "said"),
    [
        ((), {}, "no file"),
        (("nowhere.log",), {}, "nowhere.log"),
        ((LOGS,), {"never": ["twice"]}, "'twice' is not a kind"),
        ((LOGS,), {"allowed": {"ids": 1}}, "--allow ids"),
        ((LOGS,), {"begin": "noon"}, "'noon' is not a time"),
        ((LOGS,), {"begin": "2026-11-23 19:17+08:00"}, "is not a time"),
        ((LOGS,), {"client": "none"}, "none"),
    ],
)
def test_audit_refuses_wrong_input(paths, arguments, said):
    with pytest.raises(UsageError, match=said):
        audit(*paths, **arguments)


def test_other_values_are_refused():
    for arguments in ({"after": "lunch"}, {"reach": "some"}):
        with pytest.raises(UsageError, match="is not one of"):
            explain("twice", **arguments)
    with pytest.raises(UsageError, match="is no solver"):
        judge("allocation.avg.disjoint", solvers=["yices"])


@each(
    ("function", "arguments", "said"),
    [
        (allocate, {"strategies": 3}, "strategies: 3 is of type int; give Sequence[str]"),
        (allocate, {"queues": "4"}, "queues: '4' is of type str; give int | None"),
        (allocate, {"consumers": True}, "consumers: True is of type bool; give int | None"),
        (allocate, {"topics": ["a"]}, "topics: ['a'] is of type list; give Mapping[str, int] | None"),
        (allocate, {"ids": []}, "ids: the list is empty; leave it out for the default"),
        (allocate, {"brokers": []}, "brokers: the list is empty; leave it out for the default"),
        (audit, {"tolerate": -1}, "tolerate: -1 is out of range; give 0 or more"),
        (check, {"strategy": "none.py:f", "jobs": 0}, "jobs: 0 is out of range; give 1 to 256"),
        (check, {"strategy": "none.py:f", "holds": []}, "holds: the list is empty; leave it out for the default"),
        (explain, {"about": 3}, "about: 3 is of type int; give str"),
        (explain, {"about": "twice", "lasted": -1}, "lasted: -1 is out of range; give 0 or more"),
        (explain, {"about": "twice", "over": "x"}, "over: 'x' is of type str; give bool | None"),
        (judge, {"claim": "allocation.avg.disjoint", "jobs": 0}, "jobs: 0 is out of range; give 1 to 256"),
    ],
)
def test_wrong_type_or_number_raises_one_sentence(function, arguments, said):
    with pytest.raises(UsageError) as raised:
        function(**arguments)
    assert str(raised.value) == said


def test_text_instead_of_a_list_is_a_list_of_one():
    assert [one["id"] for one in allocate(ids="c10")["members"]] == ["c10"]
    with pytest.raises(UsageError, match=r"'none\.txt'"):
        explain(files="none.txt")


def test_sets_and_numbers_of_numpy_are_read_as_lists_and_numbers(mine):
    plain = allocate(["avg"], brokers=2, ids=["a", "b"], topics={"T": 4}, sees={"a": ["a"]}, knows={"b": 2})
    sets = {"ids": {"a", "b"}, "sees": {"a": {"a"}}}
    assert allocate({"avg"}, brokers=np.int64(2), topics={"T": np.int64(4)}, knows={"b": np.int64(2)}, **sets) == plain
    assert allocate(np.array(["avg"]), brokers=2, ids=np.array(["a", "b"]), topics={"T": 4})["members"]
    found = check(mine, queues=np.int64(2), consumers=np.int64(2), seconds=np.float64(20), limit=2)
    assert same(found, json.dumps({**check(mine, queues=2, consumers=2)}))


def test_functions_print_nothing(capfd, mine):
    allocate([mine], queues=2, consumers=2)
    explain("twice")
    audit(LOGS)
    assert capfd.readouterr() == ("", "")


def test_import_loads_nothing_else():
    code = "import rebalance_proofs, sys; print([one for one in sys.modules if one.startswith('rebalance_proofs.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, cwd=ROOT)
    assert done.stdout == "[]\n"
    assert set(rebalance_proofs.__all__) - {"UsageError", "__version__"} == {
        "allocate",
        "audit",
        "check",
        "explain",
        "judge",
    }


def test_page_of_the_functions_runs():
    found = doctest.testfile(str(ROOT / "docs" / "reference" / "api.md"), module_relative=False)
    assert found.attempted == 5
    assert not found.failed


SCRIPT = """
from rebalance_proofs import UsageError, allocate, audit, check, explain, judge

def use() -> tuple[list[int], str, str | None, list[str], bool]:
    try:
        shares = allocate(["avg"], queues=8, sees={"c2": ["c0", "c2"]})["strategies"][0]["shares"][0]
        found = audit("logs", never=["two"])["groups"][0]["findings"][0]
        row = check("mine.py:f")["rows"][0]["smallest"]
        return (shares["queues"], found["level"], row and row["reproduce"], explain("x")["first"], judge("c")["green"])
    except UsageError as error:
        raise SystemExit(str(error)) from None

print(explain("twice")["frist"])  # wrong
allocate(queues="8")  # wrong
judge(3)  # wrong
"""
CONFIG = """[mypy]
strict = True
[mypy-rebalance_proofs.*]
ignore_errors = True
[mypy-rebalance_proofs.cli.*,rebalance_proofs.model.*,rebalance_proofs.proofs.*,rebalance_proofs.report.*]
follow_imports = skip
"""
"""The package's own code has been checked: it is not read again."""


@pytest.mark.skipif(not importlib.util.find_spec("mypy"), reason="needs mypy")
def test_script_that_uses_the_functions_is_typed(tmp_path):
    assert (ROOT / "rebalance_proofs" / "py.typed").is_file()
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "mypy.ini").write_text(CONFIG, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "script.py"],
        cwd=tmp_path,
        env={"MYPYPATH": str(ROOT), "PATH": "", "MYPY_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    wrong = [number for number, line in enumerate(SCRIPT.splitlines(), 1) if line.endswith("# wrong")]
    found = [int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line]
    assert found == wrong, done.stdout


SHAPES = {
    "shares": documents.Shares,
    "audit": documents.Audit,
    "check": documents.Check,
    "why": documents.Explanation,
    "results": documents.Judgement,
}
"""Name of a schema -> the type of its document; of ``results``, that of one claim."""
KINDS = {"string": str, "integer": int, "number": float, "boolean": bool, "null": type(None)}


def admitted(schema, root):
    """Yield the parts of a schema: a Python type, or the schema of an array or object."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        for one in schema["anyOf"]:
            yield from admitted(one, root)
    elif "type" not in schema:
        yield from {type(one) for one in schema.get("enum", [schema.get("const")])}
    else:
        for name in [schema["type"]] if isinstance(schema["type"], str) else schema["type"]:
            yield KINDS.get(name, {**schema, "type": name})


def differing(declared, schema, root, place):
    """Yield each place at which a type and a schema differ."""
    options = typing.get_args(declared) if isinstance(declared, types.UnionType) else [declared]
    parts = [*admitted(schema, root)]
    if {one for one in parts if isinstance(one, type)} != {one for one in options if one in KINDS.values()}:
        yield f"{place}: {declared}, {schema}"
    inner = {one["type"]: one for one in parts if isinstance(one, dict)}
    for one in set(options) - set(KINDS.values()):
        found = inner.pop("array" if typing.get_origin(one) is list else "object", None)
        if found is None:
            yield f"{place}: {declared}, {schema}"
        elif typing.get_origin(one) is list:
            yield from differing(*typing.get_args(one), found["items"], root, f"{place}[]")
        elif typing.is_typeddict(one):
            if one.__annotations__.keys() != found["properties"].keys():
                yield f"{place}: {one.__annotations__.keys() ^ found['properties'].keys()}"
            for key in one.__annotations__.keys() & found["properties"].keys():
                yield from differing(one.__annotations__[key], found["properties"][key], root, f"{place}.{key}")
    yield from (f"{place}: {one}" for one in inner)


@each("name", SHAPES)
def test_schema_describes_the_type(name):
    root = published(name)
    schema = root["$defs"]["claim"] if name == "results" else root
    assert [*differing(SHAPES[name], schema, root, name)] == []


def test_difference_of_a_schema_is_noticed():
    root = published("shares")
    root["properties"]["rooms"]["items"]["type"] = "integer"
    root["$defs"]["strategy"]["properties"]["level"]["type"] = ["boolean", "null"]
    del root["$defs"]["places"]["properties"]["topic"]
    assert len([*differing(documents.Shares, root, root, "")]) == 4
