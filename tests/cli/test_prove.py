"""``rebalance prove`` and ``list`` from the command line."""

import json
import platform
import subprocess
import sys
from functools import partial
from importlib.metadata import version

import pytest

from rebalance_proofs.proofs.solvers import SOLVERS
from rebalance_proofs.proofs.solvers.pool import Pool
from tests.proofs.solvers.workers import hang


def test_list_shows_one_claim_per_strategy(call):
    called = call("list", "allocation.*.disjoint")
    assert called.status == 0
    lines = [line.split()[:2] for line in called.out.splitlines() if line and not line.startswith("#")]
    proved = ("avg", "circle", "room", "room-go", "hash", "hash-go", "nearby", "nearby-hash")
    assert sorted(lines) == sorted(
        [["REFUTED", "allocation.config.disjoint"]] + [["PROVED", f"allocation.{name}.disjoint"] for name in proved]
    )


def test_list_json_has_the_claim(call):
    (row,) = json.loads(call("list", "allocation.circle.contiguous", "--json").out)
    assert row["expected"] == "REFUTED"
    assert row["source"].startswith("https://")


def test_prove_reports_a_proof_and_a_counterexample(call):
    called = call("prove", "allocation.circle.disjoint", "allocation.circle.contiguous")
    assert called.status == 0
    assert "ok  PROVED   allocation.circle.disjoint" in called.out
    assert "ok  REFUTED  allocation.circle.contiguous: c0 has positions 0 and 2" in called.out
    assert "All as expected" in called.out


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_prove_runs_with_one_solver(call, solver):
    called = call("prove", "allocation.avg.disjoint", "--solver", solver, "--json")
    assert called.status == 0
    (claim,) = json.loads(called.out)["claims"]
    assert claim["verdict"] == "PROVED"


def test_prove_json_is_alone_on_stdout(call):
    called = call("prove", "allocation.avg.disjoint", "--json")
    assert json.loads(called.out)["green"] is True
    assert "PROVED" in called.err


def test_results_record_the_options_and_versions(call):
    results = json.loads(call("prove", "allocation.avg.disjoint", "--jobs", "1", "--seed", "7", "--json").out)
    packages = ("numpy", "pyarrow", "pyspark")
    assert results["versions"] == {
        "rebalance-proofs": version("rebalance-proofs"),
        "python": platform.python_version(),
        "z3": SOLVERS["z3"].version(),
        "cvc5": SOLVERS["cvc5"].version(),
        **{name: version(name) for name in packages},
    }
    assert results["options"] == {
        "solver": "both",
        "timeout": 20.0,
        "jobs": 1,
        "stability": 0,
        "seed": 7,
        "width": True,
    }


def test_ended_solver_gives_timeout_and_status_1(call, monkeypatch):
    monkeypatch.setattr("rebalance_proofs.proofs.prove.Pool", partial(Pool, work=hang, clock=5))
    called = call("prove", "allocation.circle.disjoint", "--solver", "z3", "--timeout", "0.1", "--json")
    assert called.status == 1
    results = json.loads(called.out)
    assert results["green"] is False
    assert results["claims"][0]["verdict"] == "TIMEOUT"
    assert "was ended after 0.5 s of the clock" in results["claims"][0]["reason"]
    assert "reached its time limit of 0.1 s; --timeout sets a longer one." in called.err


def test_run_directory_contains_the_texts(call, tmp_path):
    called = call("prove", "allocation.avg.disjoint", "--output", str(tmp_path / "run"))
    assert called.status == 0
    text = (tmp_path / "run" / "smt2" / "allocation.avg.disjoint" / "exclusive.smt2").read_text(encoding="utf-8")
    assert "(check-sat)" in text
    assert json.loads((tmp_path / "run" / "results.json").read_text(encoding="utf-8"))["command"] == (
        f"rebalance prove allocation.avg.disjoint --output {tmp_path / 'run'}"
    )


def test_stability_runs_are_counted(call):
    called = call("prove", "allocation.circle.disjoint", "--stability", "2", "--json")
    (claim,) = json.loads(called.out)["claims"]
    assert claim["verdict"] == "PROVED"


def test_proving_needs_no_java(call, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert call("prove", "allocation.circle.disjoint").status == 0


def test_pyspark_and_pyarrow_are_imported_late():
    """They take long to import, and would delay the first line of a run."""
    commands = "import rebalance_proofs.cli.main, rebalance_proofs.cli.prove, rebalance_proofs.cli.verify"
    code = f"import sys; {commands}; sys.exit(bool({{'pyspark', 'pyarrow'}} & {{*sys.modules}}))"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


def test_report_page_shows_claims_of_all_kinds(call, tmp_path):
    """Each kind's worlds are described in the words of the page, including dropped premises."""
    output = tmp_path / "run"
    claims = (
        "allocation.circle.idle",
        "allocation.avg.disjoint.without-distinct-ids",
        "transition.java_v5_2.listener.push-orderly",
        "ordered.java_v5_2.exclusive.without-twin",
        "ordered.go.exact",
    )
    assert call("prove", *claims, "--output", str(output)).status == 0
    page = (output / "report.html").read_text(encoding="utf-8")
    assert "Does not assume: unique client ids in the group." in page
    assert "even if two consumers share a client id" in page
    assert all(claim in page for claim in claims)
