"""A run compared with an earlier one, from the command line; one test only, because each run takes seconds."""

import hashlib
import json
from pathlib import Path

CLAIM, OTHER = "movement.avg.moved", "allocation.circle.idle"
HASTE = ("--timeout", "0.001")
"""No solver has answered all of a claim's questions so soon, if there are some that take it longer: it comes out as
TIMEOUT."""


def test_baseline_run_fails_on_new_failures_only_and_reports_fixed_ones(call, tmp_path):
    def run(name, *more):
        return call("prove", "--no-width", "--jobs", "2", CLAIM, *more, "--output", str(tmp_path / name))

    def written(name):
        return json.loads((tmp_path / name / "results.json").read_text(encoding="utf-8"))

    good, bad = (str(tmp_path / name / "results.json") for name in ("good", "bad"))
    assert run("good").status == 0

    worse = run("bad", *HASTE, "--baseline", good)
    assert worse.status == 1
    assert f"BAD {CLAIM}: expected PROVED, is TIMEOUT." in worse.out
    assert "(was PROVED, as expected)" in worse.out
    assert "WORSE THAN THE BASELINE" in worse.out.splitlines()[-2]

    known = run("known", *HASTE, "--baseline", bad)
    assert known.status == 0, known.out
    assert "BAD" not in known.out
    assert f"known {CLAIM}: expected PROVED, is TIMEOUT." in known.out
    assert "NO WORSE THAN THE BASELINE" in known.out.splitlines()[-2]
    assert written("known")["green"] is False
    assert written("known")["exit_status"] == 0
    assert written("known")["baseline"]["sha256"] == hashlib.sha256(Path(bad).read_bytes()).hexdigest()

    digest = hashlib.sha256(Path(bad).read_bytes()).hexdigest()
    mended = run("bad", OTHER, "--baseline", bad)  # it is read before the run takes its place
    assert mended.status == 0
    assert f"mended {CLAIM}: is PROVED, as expected (was TIMEOUT)" in mended.out
    assert written("bad")["baseline"]["sha256"] == digest
    assert written("bad")["baseline"]["new"] == [OTHER]

    before = Path(good).read_bytes()
    other = call("verify", "--quick", CLAIM, "--baseline", good, "--output", str(tmp_path / "good"))
    assert other.status == 2
    assert "no queues, no consumers, no quick and no thorough, but this run uses" in other.complaint
    other = call("prove", "allocation.hash.disjoint", "--no-width", "--baseline", good)
    assert other.status == 2
    assert f"its run judged other claims than this run: 1 claim, {CLAIM!r} among them" in other.complaint
    assert Path(good).read_bytes() == before
