"""``rebalance check`` of strategies as authors write them: names, earlier calls, settings and own guarantees."""

import json
import os
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.report.own.page import schema
from tests.conftest import ROCKETMQ
from tests.javac import compiled

pytestmark = pytest.mark.usefixtures("light")
HERE = Path(__file__).parent / "authors"
SMALL = ("--queues", "4", "--consumers", "3")
TAGGED, HOST = HERE / "tagged.py", HERE / "same_host.py"


@pytest.fixture(scope="module")
def classes(tmp_path_factory) -> str:
    return str(compiled([ROCKETMQ, HERE / "java"], tmp_path_factory.mktemp("authors")))


@pytest.fixture
def names(tmp_path):
    """Function that writes a file of names and returns its path."""

    def written(name: str, *lines: str) -> str:
        path = tmp_path / name
        path.write_text("\n".join(lines), encoding="utf-8")
        return str(path)

    return written


def test_given_names_break_a_gray_strategy_for_one_subset(call, classes, names):
    """The whole group holds; gray members alone leave queues to no consumer."""
    ids = names("ids.txt", "10.0.0.1@7", "10.0.0.2@7", "10.0.0.3@7_gray", "10.0.0.4@7_gray")
    brokers = names("brokers.txt", "broker-a 4", "broker-b 4")
    given = ("--java", "authors.GrayLast", "--classpath", classes, "--arg", "2", "--arg", "false", *SMALL)
    called = call("check", *given, "--ids", ids, "--brokers", brokers)
    first, extent, *_ = called.out.splitlines()
    assert (called.status, first) == (1, "BROKEN: covers")
    assert extent == (
        "Your own client ids and queues: tried 15 of 15 groups of your 4 client ids, each with 4 lists of queues."
    )
    assert "  1 consumer, 8 queues. Queues 0 to 5 have no consumer." in called.out
    assert "queues of orders: 0-3 = broker-a 0-3, 4-7 = broker-b 0-3\n" in called.out
    command = shlex.split(called.out.partition("reproduce: ")[2].splitlines()[0])
    assert command[-1] == "agreed/yours/1x8/0.2"
    assert call(*command[1:]).out.startswith("BROKEN: covers\n")
    called = call("check", *given[:7], "true", *SMALL)
    assert called.status == 0
    assert "Names that contain texts of the code ('_gray'): tried" in called.out


def test_names_of_the_code_are_tried_without_given_names(call):
    called = call("check", f"{TAGGED}:zones_only", *SMALL)
    assert called.out.startswith("BROKEN: covers\nNames that contain texts of the code ('zone-a', ")
    assert "agreed/derived/" in called.out
    assert call("check", f"{TAGGED}:zones_first", *SMALL).status == 0


def test_names_that_the_code_rejects_are_left_out(call, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(
        "def allocate(me, mq, ids):\n"
        "    if '@w' in me: int(me.rpartition('@w')[2])\n"
        "    return mq[ids.index(me) :: len(ids)]\n",
        encoding="utf-8",
    )
    called = call("check", str(mine), *SMALL)
    assert called.status == 0
    assert "Not tried, because every call of 10.1.2.1@21@w throws ValueError" in called.out


@pytest.mark.parametrize(
    ("name", "status", "broken"),
    [("second_choice", 1, ["disjoint", "covers"]), ("rest_for_all", 0, []), ("weights", 0, [])],
)
def test_strategy_of_users_is_judged_with_their_names(call, names, name, status, broken):
    ids = names("ids.txt", "10.0.0.1@1", "10.0.0.1@2", "10.0.0.2@1#3", "10.0.0.9@1")
    brokers = names("brokers.txt", "10.0.0.1 4", "10.0.0.2 4", "10.0.0.3 2")
    file = TAGGED if name == "weights" else HOST
    called = call("check", f"{file}:{name}", *SMALL, "--ids", ids, "--brokers", brokers, "--json")
    document = json.loads(called.out)
    Draft202012Validator(schema()).validate(document)
    assert called.status == status
    assert [row["name"] for row in document["rows"] if row["required"] and row["holds"] != "holds"] == broken
    assert document["names_tried"][0] == {"names": "yours", "ids": 4, "sets": 15, "sets_tried": 15, "lists": 8}


def test_group_of_many_given_ids_is_reduced(call, names, tmp_path):
    """The first broken group is that of all ids."""
    mine = tmp_path / "mine.py"
    mine.write_text(
        "def allocate(me, mq, ids):\n"
        "    mixed = any('red' in one for one in ids) and any('blue' in one for one in ids)\n"
        "    return mq[ids.index(me) + mixed :: len(ids)]\n",
        encoding="utf-8",
    )
    ids = names("ids.txt", *(f"10.0.0.{place}@{'red' if place < 6 else 'blue'}" for place in range(8)))
    called = call("check", str(mine), *SMALL, "--ids", ids, "--holds", "covers")
    assert called.out.startswith("BROKEN: covers\n")
    assert "  2 consumers, 8 queues. Queue 0 has no consumer." in called.out
    assert "--group agreed/yours/2x8/0." in called.out


def test_withheld_variable_is_named(call, tmp_path, monkeypatch):
    mine = tmp_path / "mine.py"
    body = "def allocate(me, mq, ids): return mq[ids.index(me) :: len(ids)] if {} else []\n"
    monkeypatch.setenv("SIDE_OF_ROLLOUT", "blue")
    mine.write_text("import os\n" + body.format("not os.getenv('SIDE_OF_ROLLOUT')"), encoding="utf-8")
    group = ("check", str(mine), "--group", "agreed/plain/1x1")
    assert "It reads the variable SIDE_OF_ROLLOUT, which is set but not passed to it" in call(*group).out
    assert call(*group, "--env", "SIDE_OF_ROLLOUT").status == 1
    mine.write_text("import os\nSIDE = os.environ['SIDE_OF_ROLLOUT']\n" + body.format("SIDE"), encoding="utf-8")
    assert "KeyError: 'SIDE_OF_ROLLOUT'; --env SIDE_OF_ROLLOUT passes that variable" in call(*group).complaint


@pytest.mark.parametrize(("more", "status"), [((), 3), (("--sample",), 0)])
def test_part_of_the_given_groups_is_not_ok(call, names, more, status):
    ids = names("ids.txt", *(f"10.0.0.{place}@{place}" for place in range(40)))
    called = call("check", f"{TAGGED}:weights", *SMALL, "--ids", ids, "--seconds", "1", *more)
    assert called.status == status
    assert called.out.startswith("OK: " if more else "NOT FINISHED: tried ")
    assert "of 2^40 - 1 groups of your 40 client ids" in called.out
    assert call("check", f"{TAGGED}:weights", "--sample").status == 2


def test_changed_arguments_are_a_note(call, classes, names):
    """The strategy removes queues from its list; the fault is that other rooms' queues have no consumer."""
    brokers = names("brokers.txt", "hz@a 2", "sh@a 2")
    given = ("--java", "authors.Rooms", "--classpath", classes, "--arg", "hz", *SMALL, "--brokers", brokers)
    called = call("check", *given)
    assert called.out.startswith("BROKEN: covers\n")
    assert "It changes its arguments, first in the call of " in called.out
    assert "RocketMQ's client passes copies, so this alone breaks nothing." in called.out
    assert "agreed/yours/1x4/0.0" in called.out


def test_shortest_history_of_a_java_strategy_is_replayable(call, classes):
    given = ("--java", "authors.Seats", "--classpath", classes, *SMALL)
    called = call("check", *given)
    assert called.status == 1
    assert called.out.partition(":")[2].split(",")[0].strip() == "disjoint.history"
    assert "  1. 1 consumer, 4 queues: c1 gets [0, 1, 2, 3]\n  2. 2 consumers, 4 queues: c0 gets [0, 2]; " in called.out
    command = shlex.split(called.out.partition("reproduce: ")[2].splitlines()[0])
    assert command[-1].startswith("history/plain/2x4/")
    assert call(*command[1:]).out.startswith("BROKEN: disjoint.history\n")
    assert call(*command[1:-1], "history/plain/2x4/0.9").status == 2


KEEPS = """
seats = {}
def allocate(me, mq_all, cid_all):
    for one in [one for one in seats if one not in cid_all]:
        del seats[one]
    for one in cid_all:
        seats.setdefault(one, next(place for place in range(99) if place not in seats.values()))
    return mq_all[seats[me] :: len(cid_all)]
"""


def test_shortest_history_of_a_python_strategy_has_a_test(call, tmp_path):
    mine, test = tmp_path / "mine.py", tmp_path / "test_mine.py"
    mine.write_text(KEEPS, encoding="utf-8")
    called = call("check", str(mine), *SMALL, "--write-test", str(test), "--json")
    document = json.loads(called.out.partition("\nWritten")[0])
    Draft202012Validator(schema()).validate(document)
    row = next(row for row in document["rows"] if row["name"] == "disjoint.history")
    assert [len(stage["consumers"]) for stage in row["smallest"]["stages"]] == [1, 2]
    assert "history/plain/2x4/" in test.read_text(encoding="utf-8")


VARIED = """
import os
ORDER = "up"
SIDE = os.environ.get("SIDE_OF_ROLLOUT", "blue")
class Mine:
    step = 1
    def __init__(self, first=0): self.first = first
    def allocate(self, me, mq, ids):
        place = ids.index(me) * self.step + self.first
        if SIDE == "green" or ORDER == "down": place = -1 - place
        return mq[place % len(ids) :: len(ids)]
"""


@pytest.mark.parametrize("vary", ["SIDE_OF_ROLLOUT=blue,green", "arg:first=0,1", "attr:step=1,0", "ORDER=up,down"])
def test_rollout_breaks_guarantees_in_the_smallest_group(call, tmp_path, vary):
    mine = tmp_path / "mine.py"
    mine.write_text(VARIED, encoding="utf-8")
    called = call("check", f"{mine}:Mine", *SMALL, "--vary", vary)
    assert called.out.splitlines()[0] == "BROKEN: disjoint.vary, covers.vary"
    command = shlex.split(called.out.partition("reproduce: ")[2].splitlines()[0])
    assert command[-1].startswith("vary/plain/2x4/")
    again = call(*command[1:])
    assert again.out.splitlines()[0] == "BROKEN: disjoint.vary, covers.vary"
    assert f"{vary.partition(':')[2] or vary}".partition("=")[0] + "=" in again.out


def test_rollout_of_a_java_argument_breaks_guarantees(call, classes, names):
    ids = names("ids.txt", "10.0.0.1@1", "10.0.0.2@1_gray")
    given = ("--java", "authors.GrayLast", "--classpath", classes, "--arg", "1", "--arg", "true", *SMALL, "--ids", ids)
    assert call("check", *given, "--vary", "arg:1=1,2").out.startswith("BROKEN: disjoint.vary, covers.vary\n")
    assert call("check", *given, "--vary", "attr:reserved=1,2").out.startswith("BROKEN: disjoint.vary, covers.vary\n")


@pytest.mark.parametrize(
    ("vary", "said"),
    [
        ("SIDE", "--vary 'SIDE' is not a setting with its values"),
        ("SIDE=a", "has to name 2 to 4 different values"),
        ("cfg:SIDE=a,b", "is not a setting with its values"),
        ("attr:none=1,2", "has no attribute 'none' (--vary)"),
        ("property:SIDE=a,b", "--vary 'property:SIDE=a,b' needs --java: Python code has no system properties"),
    ],
)
def test_wrong_setting_is_reported(call, tmp_path, vary, said):
    mine = tmp_path / "mine.py"
    mine.write_text(VARIED, encoding="utf-8")
    called = call("check", f"{mine}:Mine", "--queues", "1", "--consumers", "1", "--vary", vary)
    assert called.status == 2
    assert said in called.err


def test_setting_without_effect_is_noted(call, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(VARIED, encoding="utf-8")
    called = call("check", f"{mine}:Mine", *SMALL, "--vary", "SIED=blue,green")
    assert called.status == 0
    first, *_ = called.out.splitlines()
    assert "No result depends on SIED, so --vary tested nothing." in first
    assert ".vary" not in first
    assert "No result depends on SIED: check its name" in called.out


def test_variable_is_passed_by_its_name_only(call):
    called = call("check", f"{TAGGED}:weights", "--env", "SIDE=blue")
    assert (called.status, called.out) == (2, "")
    assert "--env 'SIDE=blue' is not the name of a variable" in called.complaint


def test_own_guarantee_has_a_minimal_counterexample(call, names):
    ids = names("ids.txt", "zone-a-1@1", "zone-b-2@1")
    brokers = names("brokers.txt", "zone-a-x 4", "zone-b-y 4")
    given = (*SMALL, "--ids", ids, "--brokers", brokers, "--property", f"{TAGGED}:own_zone")
    assert call("check", f"{TAGGED}:zones_first", *given, "--consumer-group", "orders").status == 0
    called = call("check", f"{TAGGED}:weights", *given)
    assert called.out.startswith("BROKEN: property.own_zone\n")
    assert "  2 consumers, 8 queues. zone-a-1@1 has queue 0 of zone-b-y." in called.out


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("group, shares: shares['x']", "p throws KeyError: 'x' (property.py:1), for the ids "),
        ("group, shares: 7", "p throws TypeError: a property has to return True, False, None or a text"),
        ("group: True", "has to take two arguments: the group, and the shares of its members"),
        ("group, shares: [0 for _ in iter(int, 1)]", "p has not returned after 0.3 s"),
    ],
)
def test_wrong_property_is_reported(call, tmp_path, body, said):
    own = tmp_path / "property.py"
    own.write_text(f"p = lambda {body}\n", encoding="utf-8")
    called = call("check", f"{TAGGED}:weights", *SMALL, "--limit", "0.3", "--property", f"{own}:p")
    assert called.status == 2
    assert said in called.err


SPIES = """
import os
def allocate(me, mq, ids):
    own, parent = os.environ.values(), open(f"/proc/{os.getppid()}/environ").read()
    print("own", "swordfish" in own, "parent", "swordfish" in parent, "needed", os.environ.get("NEEDED"))
    return mq
"""


@pytest.mark.skipif(sys.platform != "linux", reason="environments are looked up in /proc")
@pytest.mark.parametrize("language", ["python", "java"])
def test_foreign_code_finds_no_secret_in_the_environment(tmp_path, request, language):
    """In a process of its own, whose environment has the secret from its start."""
    mine = tmp_path / "mine.py"
    mine.write_text(SPIES, encoding="utf-8")
    words = (str(mine),)
    if language == "java":
        words = ("--java", "authors.Secrets", "--classpath", request.getfixturevalue("classes"))
    run = [sys.executable, "-m", "rebalance_proofs", "check", *words, "--group", "agreed/plain/1x1", "--json"]
    environment = {**os.environ, "TOKEN_OF_CI": "swordfish", "NEEDED": "kept"}
    for more, needed in ((), "none"), (("--env", "NEEDED"), "kept"):
        done = subprocess.run([*run, *more], capture_output=True, encoding="utf-8", env=environment, check=False)
        (printed,) = json.loads(done.stdout)["printed"]
        nothing = {"none", "None", "null"} if needed == "none" else {"kept"}
        assert printed.lower().startswith("own false parent false needed ")
        assert printed.split()[-1] in nothing


def test_reports_for_ci_have_each_required_guarantee(call, tmp_path):
    junit, log = tmp_path / "junit.xml", tmp_path / "check.sarif"
    given = ("check", f"{TAGGED}:zones_only", *SMALL, "--junit-report", str(junit), "--sarif", str(log))
    for _ in range(2):  # the second time over its own files
        assert call(*given).status == 1
    cases = {case.get("name"): case.find("failure") for case in ET.parse(junit).iter("testcase")}
    assert {name for name, failed in cases.items() if failed is not None} == {"covers"}
    assert {*cases} == {"returns", "repeats", "inside", "disjoint", "covers"}
    (run,) = json.loads(log.read_text(encoding="utf-8"))["runs"]
    (result,) = run["results"]
    assert (result["ruleId"], result["level"]) == ("covers", "error")
    place = result["locations"][0]["physicalLocation"]
    assert Path(place["artifactLocation"]["uri"]).name == "tagged.py"
    lines = TAGGED.read_text(encoding="utf-8").splitlines()
    assert lines[place["region"]["startLine"] - 1].startswith("def zones_only(")
    junit.write_text("<suites/>", encoding="utf-8")
    assert "this command did not write it" in call(*given).complaint
