"""A kind whose proofs became slower than those of the other kinds is reported; a slower machine is not."""

import json

from benchmarks.grown import RECORDED, by_kind, dearer, main
from rebalance_proofs.proofs.ledger import LEDGER

BEFORE = {"allocation": 40.0, "offsets": 100.0, "pulls": 20.0, "code": 0.4}


def results(folder, seconds):
    file = folder / "results.json"
    claims = [{"id": f"{kind}.one.claim", "seconds": value / 2} for kind, value in seconds.items() for _ in range(2)]
    file.write_text(json.dumps({"claims": claims}), encoding="utf-8")
    return file


def test_seconds_are_summed_by_kind(tmp_path):
    assert by_kind(results(tmp_path, BEFORE)) == BEFORE


def test_slower_machine_reports_no_kind():
    assert dearer({kind: 3 * seconds for kind, seconds in BEFORE.items()}, BEFORE) == []


def test_kind_that_grows_by_half_is_reported():
    now = {kind: 3 * seconds for kind, seconds in BEFORE.items()} | {"pulls": 93.0}
    assert dearer(now, BEFORE) == ["proofs of pulls take 1.6 times what they took, against the other kinds"]
    assert dearer(now | {"pulls": 87.0}, BEFORE) == []


def test_small_and_new_kinds_are_ignored():
    assert dearer({**BEFORE, "code": 40.0, "another": 500.0}, BEFORE) == []


def test_costlier_kind_is_a_note_and_no_failure(tmp_path, capsys):
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert main([str(results(tmp_path, recorded))]) == 0
    assert capsys.readouterr().out == ""
    dear = max(recorded, key=recorded.__getitem__)
    assert main([str(results(tmp_path, recorded | {dear: 2 * recorded[dear]}))]) == 0
    assert f"note: proofs of {dear} take 2.0 times" in capsys.readouterr().out


def test_every_kind_is_recorded():
    assert json.loads(RECORDED.read_text(encoding="utf-8")).keys() == {claim.id.partition(".")[0] for claim in LEDGER}
