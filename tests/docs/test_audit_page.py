"""The pages on audits show what the command prints, and name every kind of finding."""

import re
from importlib import import_module

from rebalance_proofs.recorded.audit.finding import What
from rebalance_proofs.report.audit.answer import NEVER
from tests.docs.shown import ROOT, shown

PAGE = (ROOT / "docs" / "how-to" / "audit-logs.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "reference" / "audit.md").read_text(encoding="utf-8")
LARGE = import_module("rebalance_proofs.cli.audit").LARGE


def test_two_audits_are_shown():
    assert [typed.split()[1] for typed, _ in shown(PAGE)] == ["audit", "audit"]


def test_every_finding_is_explained():
    table = REFERENCE.partition("## Findings")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.M) == list(What)


def test_kinds_that_fail_an_audit_by_default_are_named():
    assert f"`{','.join(NEVER)}`" in PAGE


def test_size_from_which_files_are_read_on_spark():
    (megabytes,) = re.findall(r"^Files of more than (\d+) MB together", PAGE, re.M)
    assert int(megabytes) * 10**6 == LARGE
