"""``verify`` with other recorded results, and without any; nothing is proved here."""

import json

import pytest

from rebalance_proofs.cli import verify
from rebalance_proofs.cli.work import Work
from rebalance_proofs.recorded.files import OWN

NONE = "no recorded result of a real client was compared, because of --no-vectors"


@pytest.fixture
def verified(call, monkeypatch, tmp_path):
    """``verified("--quick")``: output and run directory of a run with solvers and Spark replaced."""
    for name in ("prove", "enumerate", "gather"):
        monkeypatch.setattr(Work, name, lambda *_, **more: None)
    for name in ("require_java", "require_master"):
        monkeypatch.setattr(verify, name, lambda *_: None)

    def run(*arguments):
        called = call("verify", *arguments, "--output", str(tmp_path / "run"))
        files = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "run").iterdir()}
        return called.out, files, json.loads(files["results.json"])

    return run


def test_default_vectors_are_the_projects(verified):
    out, files, results = verified("--quick")
    assert results["options"]["vectors"] == str(OWN)
    assert results["conformance"]["checks"] == 13125
    assert len(results["conformance"]["files"]) == 22
    assert results["left_out"] == []
    for said in (out, files["summary.md"], files["report.html"]):
        assert "13,125 recorded results of real clients compared" in said
        assert NONE not in said


def test_run_without_recorded_results_says_so_everywhere(verified):
    out, files, results = verified("--quick", "--no-vectors")
    assert results["options"]["vectors"] == "none"
    assert results["conformance"] is None
    assert results["left_out"] == [NONE]
    for said in (out, files["summary.md"], files["report.html"]):
        assert NONE in said
        assert "recorded results of real clients compared" not in said


def test_other_vectors_can_be_named(verified, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "ring_hash.tsv").write_bytes((OWN / "ring_hash.tsv").read_bytes())
    out, _, results = verified("--vectors", str(tmp_path / "mine"))
    assert results["conformance"]["checks"] == 152
    assert "21 files of recorded results missing: assignment.tsv, " in out
