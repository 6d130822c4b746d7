"""Files for CI servers: valid by their published schemas, and run as a server runs them (see ``steps.py``)."""

import copy
import json
import re
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from rebalance_proofs.spark_enum.own.here import SECONDS
from tests.docs.steps import ACTION, COPIED, FILES, PAGE, Machine, resolved

SCHEMAS = Path(__file__).parent / "schemas"
STRATEGY, CLAIMS = ".github/workflows/strategy.yml check", ".github/workflows/rebalance.yml verify"
BY_ACTION = ".github/workflows/action.yml rebalance"
OF_STRATEGY, OF_CLAIMS = ".gitlab-ci.yml strategy", ".gitlab-ci.yml rebalance"
MINE = """
def allocate(consumer_group, current_cid, mq_all, cid_all):
    place = cid_all.index(current_cid)
    return [queue for at, queue in enumerate(mq_all) if at % len(cid_all) == place]
"""
BROKEN = MINE.replace("== place", "== 0")
SALTED = """
def allocate(consumer_group, me, mq, ids):
    return [q for q in mq if ids[hash((q.topic, q.broker_name, q.queue_id)) % len(ids)] == me]
"""
"""Divides well in each process, and gives each consumer, which is a process of its own, what belongs to others."""
STUB = """#!/bin/bash
echo "rebalance $*" >> "$SHIMS/log"
while [ "$1" != --output ]; do shift; done
mkdir -p "$2"
echo "# Summary" > "$2/summary.md"
echo "{}" > "$2/results.json"
exit "${STATUS:-0}"
"""
"""Of ``verify``, where it does not matter what comes out: as soon as that is wanted, the test is slow."""


@cache
def validator(name: str) -> Draft7Validator:
    return Draft7Validator(json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8")))


def schema_of(name: str) -> Draft7Validator:
    return validator("github-workflow" if name.startswith(".github/") else "gitlab-ci")


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path)


def test_ci_files_exist_and_are_linked():
    assert {*FILES} == {STRATEGY, CLAIMS, BY_ACTION, OF_STRATEGY, OF_CLAIMS}
    page = PAGE.read_text(encoding="utf-8")
    linked = re.findall(r"\]\(ci/(\S+)\)", page)
    assert page.count("```yaml") + len(linked) == len(FILES)
    assert sorted(linked) == sorted(path.name for path in COPIED.iterdir())


@pytest.mark.parametrize("name", FILES)
def test_ci_file_matches_its_schema(name):
    schema_of(name).validate(FILES[name])


def test_action_matches_its_schema():
    validator("github-action").validate(ACTION)


@pytest.mark.parametrize("name", FILES)
def test_ci_schemas_reject_wrong_files(name):
    """A misspelt key, a key of another place, a number instead of a string."""
    for change in (
        lambda job: job.update({"timeout_minutes": 5, "time_out": 5}),
        lambda job: job.update({"steps": [{"run": ["ls"], "shel": "bash"}], "script": {"ls": 1}}),
        lambda job: job.update({"permissions": 7, "artifacts": {"reports": {"junit": 7}}}),
    ):
        wrong = copy.deepcopy(FILES[name])
        change(next(iter(wrong.get("jobs", wrong).values())))
        assert not schema_of(name).is_valid(wrong)


def test_action_schema_rejects_wrong_actions():
    for key in ("name", "description", "runs"):
        assert not validator("github-action").is_valid({name: said for name, said in ACTION.items() if name != key})
    wrong = copy.deepcopy(ACTION)
    del wrong["runs"]["steps"][-1]["shell"]
    assert not validator("github-action").is_valid(wrong)


@pytest.mark.parametrize("steps", [ACTION["runs"]["steps"], *(FILES[name]["jobs"] for name in (STRATEGY, CLAIMS))])
def test_scripts_contain_no_expressions(steps):
    """The value of an expression would be executed as a command, whoever wrote it."""
    steps = steps if isinstance(steps, list) else next(iter(steps.values()))["steps"]
    assert not [one["run"] for one in steps if "${{" in one.get("run", "")]


def test_page_lists_every_input_and_output_of_the_action():
    section = PAGE.read_text(encoding="utf-8").split("## The action")[1]
    told = {
        name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for name in re.findall(r"`([^`]+)`", row)
    }
    assert told == {*ACTION["inputs"], *ACTION["outputs"]}
    for with_ in (
        one.get("with", {}) for one in FILES[BY_ACTION]["jobs"]["rebalance"]["steps"] if "OWNER" in one["uses"]
    ):
        assert {*with_} <= {*ACTION["inputs"]}


def of(name: str):
    """The steps of a file's job, their shell, and its variables."""
    (job,) = FILES[name]["jobs"].values()
    return job["steps"], job.get("defaults", {}).get("run", {}).get("shell"), job.get("env", {})


def test_strategy_check_runs_on_github(machine):
    machine.set_up()
    machine.checkout()
    (machine.workspace / "strategy.py").write_text(MINE, encoding="utf-8")
    assert machine.github(*of(STRATEGY)) == [0, 0, 0]
    assert all(line.startswith("    ") for line in machine.summary.splitlines())
    assert machine.summary.startswith("    OK: returns, inside, disjoint and covers hold in all tried groups")
    assert (machine.workspace / "strategy.html").exists()


def test_process_dependent_strategy_fails_on_github(machine):
    machine.set_up()
    machine.checkout()
    (machine.workspace / "strategy.py").write_text(SALTED, encoding="utf-8")
    assert machine.github(*of(STRATEGY)) == [0, 1, 0]
    assert machine.summary.startswith("    BROKEN: repeats\n")
    assert "it uses hash()" in machine.summary


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize("name", [STRATEGY, OF_STRATEGY])
def test_java_strategy_check_runs_on_both_servers(name, machine, java_classes):
    """The command of the page, with its words for Java in place of the Python file."""
    words = "--java acme.Salted --classpath 'target/classes:lib/*' --arg hash"
    assert "rebalance check --java com.acme.MyStrategy --classpath 'target/classes:lib/*'" in PAGE.read_text("utf-8")
    machine.set_up()
    (machine.workspace / "target").mkdir()
    (machine.workspace / "target" / "classes").symlink_to(java_classes)
    (machine.workspace / "lib").mkdir()
    if name == OF_STRATEGY:
        job = copy.deepcopy(FILES[name]["strategy"])
        job["script"] = [line.replace("strategy.py:allocate", words) for line in job["script"]]
        assert machine.gitlab(job, {}) == 1
    else:
        machine.checkout()
        steps, *others = of(name)
        there = [
            {**one, **({"run": one["run"].replace("strategy.py:allocate", words)} if "run" in one else {})}
            for one in steps
        ]
        assert machine.github(there, *others) == [0, 1, 0]
        assert machine.summary.startswith("    BROKEN: repeats\n")
        assert "Object.hashCode()" in machine.summary


@pytest.mark.parametrize(("text", "status"), [(BROKEN, 1), (SALTED, 1), pytest.param(MINE, 0, marks=pytest.mark.slow)])
def test_strategy_check_runs_on_gitlab(text, status, machine):
    """A strategy that breaks a required guarantee turns the job red."""
    machine.set_up()
    (machine.workspace / "strategy.py").write_text(text, encoding="utf-8")
    assert machine.gitlab(FILES[OF_STRATEGY]["strategy"], {}) == status
    assert "git clone --quiet --depth 1 the URL of OWNER/rebalance-proofs rebalance-proofs" in machine.log
    assert (machine.workspace / "strategy.html").exists()


@pytest.mark.parametrize("status", [0, 1, 2])
def test_claims_run_on_github(status, machine):
    """Without and with a baseline; a good run of the default branch becomes the next baseline."""
    steps, shell, env = of(CLAIMS)
    machine.set_up(STUB)
    machine.checkout()
    env = env | {"CLAIMS": "5.2 'a * b'", "STATUS": str(status), "GITHUB_REF": "refs/heads/main"}
    assert machine.github(steps, shell, env) == ([0, 0, 0, 0] if not status else [0, status, 0])
    assert "rebalance verify --quick --output runs/ci -- 5.2 'a * b'" in machine.log
    assert machine.summary == "# Summary\n"
    assert (machine.workspace / "baseline" / "results.json").exists() is not bool(status)


def test_branch_baseline_is_used_on_github(machine):
    steps, shell, env = of(CLAIMS)
    machine.set_up(STUB)
    machine.checkout()
    (machine.workspace / "baseline").mkdir()
    (machine.workspace / "baseline" / "results.json").write_text("of main", encoding="utf-8")
    assert machine.github(steps, shell, env) == [0, 0, 0]
    assert "rebalance verify --quick --output runs/ci --baseline baseline/results.json --\n" in machine.log
    assert (machine.workspace / "baseline" / "results.json").read_text(encoding="utf-8") == "of main"


@pytest.mark.parametrize(("branch", "status"), [("main", 0), ("main", 1), ("mine", 0)])
def test_claims_run_on_gitlab(branch, status, machine):
    machine.set_up(STUB)
    env = {"CI_COMMIT_BRANCH": branch, "CI_DEFAULT_BRANCH": "main", "STATUS": str(status)}
    assert machine.gitlab(FILES[OF_CLAIMS]["rebalance"], env) == status
    assert "rebalance verify --quick --output runs/ci --\n" in machine.log
    assert (machine.workspace / "baseline" / "results.json").exists() is (branch == "main" and not status)


def act(machine: Machine, **inputs: str) -> list[int]:
    """The action's shell steps with these inputs."""
    given = {name: one["default"] for name, one in ACTION["inputs"].items()} | inputs
    steps = [one | {"env": resolved(one.get("env", {}), given, machine.folder)} for one in ACTION["runs"]["steps"]]
    return machine.github(steps, None, {})


def test_action_checks_a_strategy(machine):
    machine.set_up()
    (machine.workspace / "strategy.py").write_text(BROKEN, encoding="utf-8")
    assert act(machine, command="check", claims="strategy.py:allocate", holds="disjoint,covers") == [0, 0, 1]
    assert machine.outputs["exit-status"] == "1"
    folder = machine.workspace / machine.outputs["run-directory"]
    assert {path.name for path in folder.iterdir()} == {"report.html", "answer.txt", "junit.xml", "check.sarif"}
    assert "    BROKEN: disjoint, covers" in machine.summary


def test_action_checks_a_java_strategy(machine, java_classes):
    machine.set_up()
    given = {"claims": "acme.Salted", "classpath": java_classes, "arguments": "hash\n"}
    assert act(machine, command="check", **given) == [0, 0, 1]
    assert f"rebalance check --java --classpath {java_classes} --arg hash --report " in machine.log
    assert "Object.hashCode()" in machine.summary


GRAY = """
def even(me, queues, ids):
    return queues[ids.index(me) :: len(ids)] if me in ids else []

def allocate(consumer_group, me, mq_all, cid_all):
    gray = [one for one in cid_all if one.endswith("@gray")]
    if not gray:
        return even(me, mq_all, cid_all)
    others = [one for one in cid_all if one not in gray]
    return even(me, mq_all[-1:], gray) + even(me, mq_all[:-1], others)
"""
"""Right for any group with other members; without them, only the last queue has a consumer."""


def test_action_checks_the_names_of_a_gray_strategy(machine, tmp_path):
    machine.set_up()
    (machine.workspace / "strategy.py").write_text(GRAY, encoding="utf-8")
    (machine.workspace / "ids.txt").write_text("10.0.0.1@1\n10.0.0.2@1@gray\n", encoding="utf-8")
    (machine.workspace / "brokers.txt").write_text("broker-a 4\n", encoding="utf-8")
    given = {"claims": "strategy.py:allocate", "ids": "ids.txt", "brokers": "brokers.txt", "seconds": "9"}
    assert act(machine, command="check", **given) == [0, 0, 1]
    assert "rebalance check --ids ids.txt --brokers brokers.txt --seconds 9 --report " in machine.log
    assert machine.summary.startswith("    BROKEN: covers\n    Your own client ids and queues: tried 3 of 3 groups of ")
    machine = Machine(tmp_path / "other")
    machine.folder.mkdir()
    machine.set_up()
    given |= {"vary": "attr:no=1,2", "env": "A B", "sample": "true", "property": "strategy.py:p", "queues": "4"}
    given |= {"consumer-group": "g"}
    assert act(machine, command="check", **given)[-1] == 2
    assert (
        " --queues 4 --vary attr:no=1,2 --property strategy.py:p --consumer-group g --sample --seconds 9 --env A"
        " --env B --report " in machine.log
    )


@pytest.mark.parametrize("name", [STRATEGY, OF_STRATEGY])
def test_gray_strategy_fails_in_the_ci_files_without_names(name, machine):
    machine.set_up()
    (machine.workspace / "strategy.py").write_text(GRAY, encoding="utf-8")
    if name == OF_STRATEGY:
        assert machine.gitlab(FILES[name]["strategy"], {}) == 1
    else:
        machine.checkout()
        assert machine.github(*of(name)) == [0, 1, 0]
        assert machine.summary.startswith("    BROKEN: covers\n")
    assert '<failure message="' in (machine.workspace / "junit.xml").read_text(encoding="utf-8")


def test_action_proves_claims(machine):
    machine.set_up()
    assert act(machine, command="prove", claims="allocation.avg.idle\n", baseline="none/results.json") == [0, 0, 0]
    assert machine.outputs["exit-status"] == "0"
    assert machine.summary.startswith("# ✅ All as expected")
    assert "rebalance prove --output rebalance-run -- allocation.avg.idle\n" in machine.log
    assert len(machine.outputs["digest"]) == 16


def test_action_verifies_all_claims_quickly_by_default(machine):
    machine.set_up(STUB)
    (machine.workspace / "results.json").touch()
    assert act(machine, baseline="results.json") == [0, 0, 0]
    assert "rebalance verify --quick --baseline results.json --output rebalance-run --\n" in machine.log


@pytest.mark.parametrize(
    "inputs",
    [
        {"command": "rm -rf *"},
        {"command": "prove", "output": "a b;touch pwned", "claims": "$(touch pwned) `touch pwned`; touch pwned"},
    ],
)
def test_action_inputs_are_not_executed(inputs, machine):
    machine.set_up()
    assert act(machine, **inputs)[-1] == 2
    assert machine.outputs["exit-status"] == "2"
    assert not (machine.workspace / "pwned").exists()


@pytest.mark.slow
@pytest.mark.spark
def test_claim_is_verified_on_both_servers_and_by_the_action(machine, tmp_path):
    """By every witness, first without a baseline, then against the previous run."""
    steps, shell, env = of(CLAIMS)
    machine.set_up()
    machine.checkout()
    env = env | {"CLAIMS": "allocation.avg.idle", "GITHUB_REF": "refs/heads/main"}
    assert machine.github(steps, shell, env) == [0, 0, 0, 0]
    assert machine.summary.startswith("# ✅ All as expected")
    assert act(machine, claims="allocation.avg.idle", baseline="baseline/results.json") == [0, 0, 0]
    assert "**Compared with the baseline baseline/results.json" in machine.summary
    other = Machine(tmp_path / "gitlab")
    other.folder.mkdir()
    other.set_up()
    branch = {"CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main", "CLAIMS": "allocation.avg.idle"}
    assert other.gitlab(FILES[OF_CLAIMS]["rebalance"], branch) == 0
    assert json.loads((other.workspace / "baseline" / "results.json").read_text(encoding="utf-8"))["green"] is True


def test_default_time_of_a_check_is_on_the_page():
    assert f"(`--seconds`, {SECONDS:g} by default)" in PAGE.read_text(encoding="utf-8")
