"""The pages on audits show the command's output, and name every kind of finding."""

import re
from importlib import import_module

from rebalance_proofs.recorded.audit.finding import What
from rebalance_proofs.report.audit.answer import NEVER
from tests.docs.shown import ROOT, shown

PAGE = (ROOT / "docs" / "how-to" / "audit-logs.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "reference" / "audit.md").read_text(encoding="utf-8")
LARGE = import_module("rebalance_proofs.report.audit.read").LARGE


def test_audit_page_shows_two_audits():
    assert [typed.split()[1] for typed, _ in shown(PAGE)] == ["audit", "audit"]


def test_every_finding_is_explained():
    table = REFERENCE.partition("## Findings")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.M) == list(What)


def test_page_names_the_kinds_that_fail_an_audit_by_default():
    assert f"`{','.join(NEVER)}`" in PAGE


def test_page_names_the_size_from_which_spark_reads_files():
    (megabytes,) = re.findall(r"^Files of more than (\d+) MB together", PAGE, re.M)
    assert int(megabytes) * 10**6 == LARGE
