"""A kind of claims is named in its own packages and the three tables; exceptions need a reason here."""

import ast
import re
from pathlib import Path

import pytest

from rebalance_proofs.proofs.kinds import KINDS
from tests.each import each

ROOT = Path(__file__).parent.parent
ROOMS = ("proofs", "spark_enum", "report")
TABLES = {f"{room}/kinds.py" for room in ROOMS}
OF_ALLOCATION = ("hashing", "nearby", "movement", "growth", "joins", "topics", "assignment", "clients", "code")
"""Packages and modules of ``proofs/`` that are rooms of the ledger of their own, and of that kind."""
OWN = (
    *(f"{room}/{kind}/" for room in ROOMS for kind in KINDS),
    *(f"proofs/{one}{end}" for one in OF_ALLOCATION for end in ("/", ".py")),
)
ABOUT_ALLOCATION = "a user's own strategy, and how many queues change hands: strategies are what it is about"
BY_HAND = "written by hand, it shows single claims by their ids, and pictures of them"
EXCEPTIONS = {
    "proofs/structural.py": "single claims by their ids, each with its reason",
    "spark_enum/bounds.py": "the options of the command by which the spaces of two kinds are bounded",
    "spark_enum/own/": ABOUT_ALLOCATION,
    "spark_enum/explorer/": "whole groups are made of the terms of several kinds, and say which claims they go with",
    "report/explorer/told.py": "settling and a transition, in their plain meaning",
    "report/own/": ABOUT_ALLOCATION,
    "report/moves/": ABOUT_ALLOCATION,
    "report/shares/": ABOUT_ALLOCATION,
    "report/differences.py": "which claims each difference between two releases is judged by",
    "report/export/": "which kinds' counterexamples have a writer, and which claims show each upstream fault",
    "report/released/page.py": "which claims the compared packages of gRPC clients are about",
    "report/findings/": BY_HAND,
    "report/guarantees/": "which claims each row of the tables rests on",
    "report/symptoms/answer.py": "how long a queue's pause lasts is explored of ordered consumption alone",
    "report/symptoms/words.py": "how long a queue's pause lasts is explored of ordered consumption alone",
    "evidence/required/": "reckoned apart from what a kind says of itself, which could not vouch for it",
    "evidence/self_tests/": "faults in single comparers: what a kind says of itself could not vouch for it",
    "report/reality/": "which recorded happening is about which claim, and which machine's wrong encodings are tried",
    "report/symptoms/causes.py": "how an ordered queue passes to its new owner is a part of some causes",
    "report/symptoms/cause.py": "a sign of different subscriptions; a pause is explored of ordered consumption alone",
    "cli/safe.py": "a command about ordered consumption alone",
    "cli/settle.py": "a command about settling alone",
    "cli/grpc.py": "recordings of gRPC members alone: which claim is about a queue with several receive loops",
    "report/symptoms/asked.py": "gRPC clients have claims of one kind alone",
}
IMPORTED = re.compile(rf"rebalance_proofs\.(?:{'|'.join(ROOMS)})\.(?:{'|'.join(KINDS)})(?:\.|$)")
SAID = re.compile(rf"(?:{'|'.join(KINDS)})(?:\.|$)|.*\b(?:{'|'.join(KINDS)})\.[\w{{*]", re.DOTALL)


def modules() -> list[str]:
    paths = (path for top in (*ROOMS, "evidence", "cli") for path in (ROOT / top).rglob("*.py"))
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


def named(source: str) -> list[str]:
    """Every place where it imports from a kind's packages, or says a kind's name, or the beginning of an id of it."""
    found, tree = [], ast.parse(source)
    comments = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            modules = [node.module or "", *(f"{node.module}.{name.name}" for name in node.names)]
            found += [f"{node.lineno}: imports {one}" for one in modules if IMPORTED.match(one)][:1]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in comments:
            found += [f"{node.lineno}: {node.value!r}"] * bool(SAID.match(node.value))
    return found


OTHERS = [one for one in modules() if one not in TABLES and not one.startswith(OWN)]


@each("module", [one for one in OTHERS if not one.startswith(tuple(EXCEPTIONS))])
def test_module_names_no_kind(module):
    assert named((ROOT / module).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("place", EXCEPTIONS)
def test_every_exception_is_needed(place):
    assert any(named((ROOT / one).read_text(encoding="utf-8")) for one in OTHERS if one.startswith(place))


@pytest.mark.parametrize(
    ("source", "many"),
    [
        ('"""About settling."""\nx = 1  # settling\n', 0),
        ("from rebalance_proofs.report.settling.settle import answer\n", 1),
        ("from rebalance_proofs.report import settling, pulls\n", 1),
        ("from rebalance_proofs.model.machines.settling import Limits\n", 0),
        ('x = {"settling": 1}\n', 1),
        ("x = f'offsets.{name}.once'\n", 1),
        ('x = "see `ordered.go.kept-so-long`"\n', 1),
        ('x = "how offsets are sent. All of them"\n', 0),
    ],
)
def test_names_of_kinds_are_detected(source, many):
    assert len(named(source)) == many
