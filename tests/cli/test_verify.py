"""``rebalance verify`` on six claims; continuous integration runs all claims as `make quick`, in another process."""

import json
from contextlib import nullcontext

import pytest

from rebalance_proofs.spark_enum import session

CLAIMS = (
    "allocation.circle.disjoint",
    "allocation.circle.contiguous",
    "allocation.hash.balanced",
    "movement.avg.moved",
    "transition.node.exact",
    "transition.node.returns",
)


@pytest.mark.spark
def test_verify_is_green_with_every_witness_and_a_complete_run_directory(call, spark, tmp_path, monkeypatch):
    """In the Spark session that the tests share, which is not stopped at the end."""
    monkeypatch.setattr(session, "spark_session", lambda master, log: nullcontext(spark))
    called = call("verify", "--quick", *CLAIMS, "--output", str(tmp_path / "run"))
    assert called.status == 0, called.out + called.err
    assert called.err == ""
    assert "All as expected" in called.out
    results = json.loads((tmp_path / "run" / "results.json").read_text(encoding="utf-8"))
    assert results["complete"] is True
    assert {claim["id"] for claim in results["claims"]} == {*CLAIMS}
    assert {claim["verdict"] for claim in results["claims"]} == {"PROVED", "REFUTED"}
    certified = results["certified"]
    assert certified["certified"] == certified["drawn"] == min(certified["formulas"], 100) > 1
    required = {row["name"]: row["expected"] for row in results["required"]}
    assert required["judged claims"] == len(CLAIMS)
    enumerated = results["enumerated"]
    assert {found["kind"] for found in enumerated["findings"]} >= {"groups", "joins", "sizes", "smallest", "promises"}
    assert results["conformance"]["files"]
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert {"results.json", "junit.xml", "summary.md", "report.html", "smt2", "counterexamples"} <= names
