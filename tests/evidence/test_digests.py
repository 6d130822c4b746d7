"""Recorded digests: which results are compared with them, and how they are updated."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from rebalance_proofs.evidence import digests
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.allocation.group_check import checks
from rebalance_proofs.spark_enum.allocation.sweep import sweep
from rebalance_proofs.spark_enum.bounds import QUICK, Bounds, thorough
from rebalance_proofs.spark_enum.explorer.store import EXPLORED
from tests.report.runs import ALPHABET, AT_SIZE, CASES, ENUMERATED, JOINED, PROMISED, SWEEP

FOUND = replace(ENUMERATED, findings=(SWEEP, JOINED, AT_SIZE, ALPHABET, CASES, replace(PROMISED, digest="0e0f")))
TOLD = {
    SWEEP.name: "00ff",
    "joins of avg": "0a0b",
    CASES.name: "0c0d",
    "letters of java_v5_2 push": "20 30 40",
    PROMISED.name: "0e0f",
}


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    """A file of recorded digests in place of the project's."""
    file = tmp_path / "recorded.json"
    file.write_text(json.dumps({"quick": TOLD}), encoding="utf-8")
    monkeypatch.setattr(digests, "FILE", file)
    return file


def said(bounds, found=FOUND):
    """What is not as recorded."""
    return [told for work in digests.digests(bounds, found) for told in failures(work)]


def test_unchanged_digests_are_not_reported(recorded):
    assert {work.name for work in digests.digests(QUICK, FOUND)} == {
        f"digest of {name} at the quick bounds" for name in TOLD
    }
    assert said(QUICK) == []


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (
            {"digest": "00fe"},
            "digest of avg without-same-cid-all at the quick bounds: 00ff required, 00fe found",
        ),
        ({"digest": "1"}, "digest of joins of avg at the quick bounds: 0a0b required, 1 found"),
        ({"digest": "2"}, "digest of java_v5_2 push, 2 queues, calls at the quick bounds: 0c0d required, 2 found"),
        (
            {"digest": "19 30 40"},
            "digest of letters of java_v5_2 push at the quick bounds: 20 30 40 required, 19 30 40 found",
        ),
        ({"digest": "3"}, "digest of transition.java_v5_2.kept.push at the quick bounds: 0e0f required, 3 found"),
    ],
)
def test_changed_digest_is_reported(recorded, changed, sentence):
    name = sentence.removeprefix("digest of ").partition(" at the ")[0]
    findings = tuple(replace(one, **changed) if one.name == name else one for one in FOUND.findings)
    assert said(QUICK, replace(FOUND, findings=findings)) == [sentence]


@pytest.mark.parametrize("lost", TOLD)
def test_lost_digest_is_reported(recorded, lost):
    findings = tuple(
        replace(one, digest="", numbers={}, details=()) if one.name == lost else one for one in FOUND.findings
    )
    assert said(QUICK, replace(FOUND, findings=findings)) == [
        f"digest of {lost} at the quick bounds: {TOLD[lost]} required, none found"
    ]


def test_unrecorded_digest_is_reported(recorded):
    new = replace(FOUND, findings=(replace(SWEEP, name="circle without-same-cid-all"),))
    (sentence,) = said(QUICK, new)
    assert "none recorded required, 00ff found" in sentence


def test_other_bounds_have_no_recorded_digests(recorded):
    assert digests.standard(replace(QUICK, queues=15)) is None
    assert said(replace(QUICK, queues=15)) == []
    assert digests.standard(Bounds()) == "default"
    assert digests.standard(replace(Bounds(), at_size=(3, 3), at_size_without=(1, 1))) == "default"


def test_thorough_bounds_record_only_differing_digests(recorded, tmp_path):
    less = {name: digest for name, digest in TOLD.items() if name != SWEEP.name}
    recorded.write_text(json.dumps({"default": less | {SWEEP.name: "0123"}}), encoding="utf-8")
    options = {"quick": False, "thorough": True, "queues": 64, "consumers": 64}
    assert digests.record(written(tmp_path, options=options), recorded) == "thorough"
    assert json.loads(recorded.read_text(encoding="utf-8"))["thorough"] == {SWEEP.name: TOLD[SWEEP.name]}
    assert said(thorough(Bounds())) == []
    assert said(Bounds()) == [f"digest of {SWEEP.name} at the default bounds: 0123 required, 00ff found"]


def written(tmp_path, **changes):
    """A results.json, as far as it is read."""
    enumerated = digests.json_results.enumerated(FOUND)
    options = {"quick": False, "queues": 64, "consumers": 64}
    results = tmp_path / "results.json"
    results.write_text(
        json.dumps({"complete": True, "options": options, "enumerated": enumerated} | changes), encoding="utf-8"
    )
    return results


def test_recording_a_run_keeps_other_runs(recorded, tmp_path):
    assert digests.record(written(tmp_path), recorded) == "default"
    assert json.loads(recorded.read_text(encoding="utf-8")) == {"quick": TOLD, "default": TOLD}
    assert said(Bounds()) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"complete": False},
        {"enumerated": None},
        {"options": {"quick": True, "queues": 4, "consumers": 4}},
        {"options": {}},
    ],
)
def test_incomplete_or_nonstandard_run_is_not_recorded(recorded, tmp_path, changes):
    before = recorded.read_text(encoding="utf-8")
    with pytest.raises(UsageError):
        digests.record(written(tmp_path, **changes), recorded)
    assert recorded.read_text(encoding="utf-8") == before


@pytest.mark.parametrize("content", ["", "{", "[]", "1", "{}", '{"options": {}}'])
def test_invalid_results_file_prints_one_sentence(recorded, tmp_path, content):
    (tmp_path / "results.json").write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=r"is not a results\.json of `rebalance verify`"):
        digests.record(tmp_path / "results.json", recorded)


def test_results_without_completeness_are_refused(recorded, tmp_path):
    results = written(tmp_path)
    document = json.loads(results.read_text(encoding="utf-8"))
    del document["complete"]
    results.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(UsageError, match="is not a results"):
        digests.record(results, recorded)


def test_digests_of_explored_groups_are_recorded_elsewhere(recorded):
    group = replace(SWEEP, kind=EXPLORED, name="explore lock-lite --consumers 2 --queues 2")
    assert said(QUICK, replace(FOUND, findings=(group,))) == []


def test_bounds_without_digests_print_one_sentence(recorded):
    assert said(Bounds()) == ["digests of the default bounds in recorded.json: all required, none found"]


def test_digests_have_unique_names():
    known = json.loads(digests.FILE.read_text(encoding="utf-8"))
    assert set(known) <= set(digests.STANDARD)
    assert known["default"].keys() == known["quick"].keys()
    assert len(known["quick"]) > 500


def test_thorough_digests_are_of_spaces_beyond_the_default():
    known = json.loads(digests.FILE.read_text(encoding="utf-8"))
    far = {sweep(Bounds().space(one.world), one).name for one in checks(LEDGER) if one.world.usual}
    assert known["thorough"].keys() == far
    assert not known["thorough"].items() & known["default"].items()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name one file"),
        (("one", "two"), "name one file"),
        (("no-such-file",), "no-such-file is not a results.json"),
    ],
)
def test_invalid_digest_call_prints_one_sentence_with_status_2(arguments, said):
    command = [sys.executable, "-m", "rebalance_proofs.evidence.digests", *arguments]
    called = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert (called.returncode, called.stdout, called.stderr.count("\n")) == (2, "", 1)
    assert called.stderr.startswith(f"python -m rebalance_proofs.evidence.digests: {said}")
