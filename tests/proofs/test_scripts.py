"""Modules that write a file when executed, and nothing when imported."""

from runpy import run_module

import pytest

from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.models.known import recorded
from rebalance_proofs.proofs.mutation.recorded_runs import recorded_run


@pytest.mark.filterwarnings("ignore:.*found in sys.modules")
@pytest.mark.parametrize(
    ("module", "place"),
    [
        ("proofs.models.record", "proofs.models.known"),
        ("proofs.mutation.record", "proofs.mutation.recorded_runs"),
    ],
)
def test_module_writes_only_when_run(module, place, tmp_path, monkeypatch):
    (claim,) = select(["settling.java_v4_9_to_v5_1.settles"])
    recorded().of(claim.kind, claim.subjects[0])  # what is recorded is read once, from where it is
    recorded_run(claim, claim.mutants[0])
    file = tmp_path / "recorded"
    monkeypatch.setattr(f"rebalance_proofs.{place}.RECORDED", file)
    monkeypatch.setattr("rebalance_proofs.proofs.ledger.LEDGER", [claim])
    run_module(f"rebalance_proofs.{module}", run_name="imported")
    assert not file.exists()
    run_module(f"rebalance_proofs.{module}", run_name="__main__")
    assert len(file.read_bytes()) > 100
