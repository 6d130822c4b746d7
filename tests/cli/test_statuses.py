"""Each part of each exit status decides it alone in some case: a status without the part is noticed."""

import ast
import re
import runpy
import sys
from pathlib import Path

import pytest

from rebalance_proofs import __main__ as entry
from rebalance_proofs.cli import main as command
from rebalance_proofs.cli import signals
from rebalance_proofs.cli.completion import VARIABLE
from rebalance_proofs.cli.completion import answer as completion
from rebalance_proofs.evidence import digests, groups
from rebalance_proofs.proofs.errors import ClaimError, UsageError
from rebalance_proofs.recorded.knowledge import __main__ as knowledge
from rebalance_proofs.recorded.knowledge import schema, sources
from rebalance_proofs.spark_enum.explorer import groups as explored
from tests.cli.deciding import decides, exits, expression, mutants, result, returns, said, used, word
from tests.cli.fakes import raising
from tests.cli.statuses import DECIDED, EXITS, LEAVES, RETURNS
from tests.each import each

ROOT = Path(__file__).parent.parent.parent


def part(module, function, what):
    """Return the code that decides a status, or a part of it."""
    parsed = decides(module, function)
    return expression(parsed, what) if what else parsed


@pytest.mark.parametrize("which", DECIDED, ids=lambda which: ".".join(which))
def test_status_is_what_its_cases_say(which):
    module, node = which[0], part(*which)
    assert [result(module, node, variables) for variables, _ in DECIDED[which]] == [end for _, end in DECIDED[which]]


@each("which", DECIDED, ids=lambda which: ".".join(which))
def test_status_without_one_of_its_parts_is_noticed(which):
    module = which[0]
    unnoticed = []
    for mutant in mutants(part(*which)):
        try:
            same = all(result(module, mutant, variables) == end for variables, end in DECIDED[which])
        except Exception:
            same = False
        if same:
            unnoticed.append(ast.unparse(mutant))
    assert not unnoticed


def test_every_return_of_a_status_is_known():
    """A command that returns 0 at one more place, or nothing, is noticed."""
    assert {".".join(which): said(which) for which in returns()} == RETURNS


@each("which", returns(), ids=lambda which: ".".join(which))
def test_status_that_is_computed_has_cases(which):
    every = {ast.unparse(value) for value in returns()[which] if word(which[0], value) == "*"}
    if (*which, "") not in DECIDED:
        assert every == ({ast.unparse(part(*which, "return"))} if every else set())


def test_what_a_status_is_computed_from_has_cases_or_a_reason():
    decided = {which[:2] for which in DECIDED}
    found = {one for which in DECIDED for one in used(*which[:2], part(*which))}
    assert found - decided == {*LEAVES}


def test_every_end_of_a_process_is_known():
    assert exits() == {*EXITS}


@pytest.fixture
def entered(monkeypatch):
    """Function that calls the program's entry point, and returns the status with which it ends; None for none."""
    monkeypatch.setattr(signals, "listen", lambda: None)
    monkeypatch.setattr(signals, "ignore", lambda: None)
    monkeypatch.delenv(VARIABLE, raising=False)

    def enter():
        try:
            entry.main()
        except SystemExit as ended:
            return ended.code
        return None

    return enter


@pytest.mark.parametrize("status", [0, 2])
def test_entry_point_ends_with_the_status_of_a_completion(status, entered, monkeypatch):
    monkeypatch.setenv(VARIABLE, "bash_source")
    monkeypatch.setattr(completion, "answer", lambda instruction: status)
    assert entered() == status


def test_entry_point_ends_with_the_message_of_a_wrong_claim(entered, monkeypatch):
    """Python prints the message, and the status is 1."""
    monkeypatch.setattr(command, "main", lambda: None)
    assert entered() is None
    monkeypatch.setattr(command, "main", raising(ClaimError("a world has no name")))
    assert entered() == "rebalance: a world has no name"


def test_module_that_is_run_ends_with_its_error(monkeypatch, capsys):
    def status(module, *words):
        monkeypatch.setattr(sys, "argv", [module.__file__, *words])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(module.__file__, run_name="__main__")
        return ended.value.code

    assert status(digests) == 2
    assert "name one file" in capsys.readouterr().err
    assert status(digests, "results.json") == 2
    monkeypatch.setattr(explored, "gone_through", raising(UsageError("the group is too large")))
    assert str(status(groups)).endswith("the group is too large")
    monkeypatch.setattr(sources, "compiled", raising(schema.KnowledgeError(["a cause has no name"])))
    assert status(knowledge) == "a cause has no name"


@each("reason", dict.fromkeys((*LEAVES.values(), *EXITS.values())))
def test_reasons_name_tests_that_exist(reason):
    for name in re.findall(r"(tests/[\w/.]+[\w/])", reason):
        assert (ROOT / name).exists()
    for name in re.findall(r"\btest_\w+$", reason):
        assert callable(globals()[name])
