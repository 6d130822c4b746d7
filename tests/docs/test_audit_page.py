"""The page on audits shows what the command prints, and names all that it finds."""

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from rebalance_proofs.recorded.audit.finding import What
from rebalance_proofs.report.audit.answer import NEVER
from tests.cli.conftest import call  # noqa: F401  # a fixture

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "how-to" / "audit-logs.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^    \$ (rebalance audit .*)\n((?:    .*\n|\n(?=    ))+)", re.M)
LARGE = import_module("rebalance_proofs.cli.audit").LARGE
SHOWN = BLOCK.findall(PAGE) + BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("typed", "said"), SHOWN, ids=[typed.split("/")[-1] for typed, _ in SHOWN])
def test_what_is_shown_is_printed(call, typed, said, monkeypatch):  # noqa: F811
    monkeypatch.chdir(ROOT)
    out = call(*shlex.split(typed)[1:]).out
    at = 0
    for part in said.split("    ...\n"):
        text = "".join(line.removeprefix("    ") for line in part.splitlines(keepends=True)).strip("\n")
        found = out.find(text, at)
        assert found >= 0, text
        at = found + len(text)


def test_there_are_two_scenarios_and_one_in_readme():
    assert len(SHOWN) == 3


def test_every_finding_is_explained():
    table = PAGE.partition("## The findings")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.M) == list(What)
    assert f"`{','.join(NEVER)}`" in PAGE


def test_from_so_many_bytes_on_files_are_read_on_spark():
    (megabytes,) = re.findall(r"^Files of more than (\d+) MB together", PAGE, re.M)
    assert int(megabytes) * 10**6 == LARGE
