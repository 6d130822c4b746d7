"""Modules that a command imports before it answers: none that it does not use."""

import json
import os
import subprocess
import sys

import pytest

from rebalance_proofs.cli.commands import COMMANDS
from rebalance_proofs.cli.main import cli
from rebalance_proofs.proofs.kinds import KINDS
from tests.faults.tree import ROOT

CODE = """
import json, sys
from rebalance_proofs.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    status = ended.code
print(json.dumps([status, sorted(sys.modules)]), file=sys.stderr)
"""
LOGS = ROOT / "recorded" / "logs" / "java-4.9.8" / "b_sigstop"
LATER = {"z3", "cvc5", "numpy", "pyspark", "pyarrow", "jinja2", "rich", "pebble", "cloudpickle", "jsonschema", "bokeh"}
"""Libraries that take long to load."""
LEDGER = "rebalance_proofs.proofs.kinds"
"""The way to all claims, with their terms."""
PAGE = "rebalance_proofs.report.html"
MOST = {
    "--version": 220,
    "--help": 165,
    "help why": 350,
    "why": 350,
    "why twice --client 5.2 --mode push --for 2m": 350,
    "why duplicates": 350,
    "moves --queues 16 --consumers 4 --event join": 360,
    "settle --client 5.2 --event crash": 400,
    "list": 300,
    "list --client 5.2 --strategy avg": 330,
}
"""Call -> the most modules that it loads, the standard library's too; they were a tenth less when this was written."""


def loaded(*arguments: str) -> tuple[int, set[str]]:
    """Status, and all modules that are loaded at the end."""
    called = subprocess.run(
        [sys.executable, "-c", CODE, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    status, modules = json.loads(called.stderr.splitlines()[-1])
    return status, set(modules)


@pytest.mark.parametrize("call", MOST)
def test_command_without_solver_imports_few_modules(call):
    status, modules = loaded(*call.split())
    assert status == 0
    assert modules & {*LATER, LEDGER, PAGE} == set()
    assert len(modules) <= MOST[call], len(modules)


def test_show_imports_neither_spark_nor_the_page():
    _, modules = loaded("show", "nonsense")
    assert modules & {"pyspark", "pyarrow", PAGE} == set()


def test_audit_without_a_page_does_not_import_the_chart_library():
    status, modules = loaded("audit", str(LOGS))
    assert status == 1
    assert modules & {"bokeh", "PIL", "tornado", "z3", "cvc5", "pyspark"} == set()


ONE_KIND = {
    "show movement.avg.shift --solver z3": ({"allocation"}, 870),
    "show pulls.java_v5_3_3.one-request --solver z3": ({"pulls"}, 750),
    "replay movement.avg.monotone": ({"allocation"}, 950),
    "prove pulls.java_v5_3_3.one-request --no-width": ({"pulls"}, 700),
    "explore concurrent --queues 1 --no-settle": (set(), 740),
}
"""Call -> the kinds whose claims it makes, and the most modules that it loads."""


@pytest.mark.parametrize("call", ONE_KIND)
def test_command_about_one_claim_imports_only_its_kind(call):
    kinds, most = ONE_KIND[call]
    status, modules = loaded(*call.split())
    assert status == 0
    # The page of settling is no sign of its claims: other commands use its time limits.
    places = [
        *((kind, f"rebalance_proofs.proofs.{kind}.kind") for kind in KINDS),
        ("pulls", "rebalance_proofs.model.machines.pulls"),
    ]
    assert {kind for kind, place in places if place in modules} == kinds
    assert modules & {"pyspark", "pyarrow", PAGE} == set()
    assert len(modules) <= most, len(modules)


def test_check_imports_no_claims(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(
        "def allocate(group, me, queues, ids):\n    return queues[ids.index(me)::len(ids)]\n", encoding="utf-8"
    )
    status, modules = loaded("check", f"{mine}:allocate", "--queues", "2", "--consumers", "2")
    assert status == 0
    assert modules & {"pyspark", "pyarrow", "numpy", "pebble", LEDGER, PAGE} == set()


def test_help_imports_no_command():
    _, modules = loaded("--help")
    assert modules & {f"rebalance_proofs.cli.{place.module}" for place in COMMANDS.values()} == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_available_under_its_name(name):
    command = COMMANDS[name].command()
    assert command.name == name
    assert command in (cli.get_command(None, name),)
