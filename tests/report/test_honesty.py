"""Failures of every kind: no report shows them as success, and each report names them."""

import json
import re

from junitparser import JUnitXml

from rebalance_proofs.report.results import directory
from rebalance_proofs.report.results.headline import GREEN


def test_broken_run_is_green_nowhere(broken, tmp_path):
    directory.write(broken, tmp_path)
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert results["green"] is False
    assert results["exit_status"] != 0
    assert results["failures"]

    junit = JUnitXml.fromfile(str(tmp_path / "junit.xml"))
    assert junit.failures + junit.errors > 0
    assert junit.skipped == 0

    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith("# ❌")
    assert summary.index("## Failures") < summary.find("## Which") or "## Which" not in summary

    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert 'class="banner alarm"' in page
    assert 'class="banner green"' not in page
    assert re.search(r"<title>\s*(INCOMPLETE|NOT AS EXPECTED)", page)

    for path in tmp_path.rglob("*.*"):
        if path.suffix in (".json", ".xml", ".md", ".html"):
            assert GREEN.lower() not in path.read_text(encoding="utf-8").lower(), path


def test_green_run_is_green_everywhere(green, tmp_path):
    directory.write(green, tmp_path)
    assert json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["green"] is True
    junit = JUnitXml.fromfile(str(tmp_path / "junit.xml"))
    assert junit.failures + junit.errors == 0
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith(f"# ✅ {GREEN}")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert 'class="banner green"' in page
    assert 'class="verdict alarm">▲ ' not in page
