"""Commands in README and quickstart that answer plain questions: they work, and print what the pages show."""

import json
import re
import shlex
from pathlib import Path

import pytest

from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.files import TRACES
from rebalance_proofs.report.itf import trace_of
from rebalance_proofs.report.smallest import smallest
from tests.cli.conftest import call  # noqa: F401  # a fixture
from tests.docs.test_ci import SALTED

ROOT = Path(__file__).parent.parent.parent
PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/tutorial/first-steps.md")}
TYPED = re.compile(r"rebalance ((?:moves|replay|list) [^`\n#]*)")
CALLS = sorted({found.strip() for text in PAGES.values() for found in TYPED.findall(text) if "CLAIM" not in found})


@pytest.mark.parametrize("typed", CALLS)
def test_what_the_pages_say_to_type_works(call, typed, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    words = shlex.split(typed.replace("FILE", "runs/verify/counterexamples/joins.avg.once.itf.json"))
    if words[-1].endswith(".itf.json"):
        _written(Path(words[-1]))
    called = call(*words)
    assert (called.status, called.err) == (0, "")


def _written(path):
    """As a run leaves it there."""
    (claim,) = select([path.name.removesuffix(".itf.json")])
    assert path.parent.name == TRACES
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(trace_of(claim, smallest(claim))))


def test_the_core_of_ci_fails_for_a_strategy_that_differs_from_process_to_process(call, tmp_path, monkeypatch):  # noqa: F811
    (typed,) = re.findall(
        r"^    rebalance (check strategy\.py:allocate .*)$", PAGES["docs/tutorial/first-steps.md"], re.MULTILINE
    )
    monkeypatch.chdir(tmp_path)
    Path("strategy.py").write_text(SALTED)
    called = call(*shlex.split(typed), "--queues", "4", "--consumers", "4")
    assert (called.status, called.out.splitlines()[0]) == (1, "BROKEN: repeats")


def test_what_moves_is_as_the_page_shows(call):  # noqa: F811
    page = PAGES["docs/tutorial/first-steps.md"]
    shown = re.search(r"    \$ (rebalance moves .*?)\n((?:    .*\n|\n)*?)    \.\.\.\n", page)
    typed, said = shown.groups()
    out = call(*shlex.split(typed)[1:]).out
    assert out.startswith("".join(line.removeprefix("    ") for line in said.splitlines(keepends=True)))


def test_the_questions_are_answered_in_readme():
    """What an operator asks first, in the words in which it is asked."""
    who = PAGES["README.md"].partition("## Which are you?")[2].partition("\n## ")[0]
    for words in ("From 4 to 5 consumers with 16 queues, what moves?", "rebalance moves", "rebalance replay", "--mode"):
        assert words in who
