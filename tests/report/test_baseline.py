"""An earlier run as a baseline: what is read from it, and what is refused with one sentence."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.results.baseline import fitting, judged, read
from rebalance_proofs.report.results.json_results import to_json
from tests.each import each
from tests.report.runs import BROKEN, HOSTILE, with_claim


def kept(run, folder: Path, **fields) -> Path:
    """Its results.json, with some fields otherwise; those that are ``...`` are not there."""
    document = {name: value for name, value in (to_json(run) | fields).items() if value is not ...}
    path = folder / "results.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_baseline_equals_the_run(broken, tmp_path):
    """Whatever failed in it, if the run was complete and its comparers worked."""
    path = kept(broken, tmp_path)
    if not broken.complete or not all(test.noticed for test in broken.self_tests):
        with pytest.raises(UsageError):
            read(path)
        return
    found = read(path)
    assert found.claims == {result.claim.id: judged(result) for result in broken.claims}
    assert found.failures == broken.failures
    assert {*found.lacking} == {work.name for work in broken.required if not work.ok}
    assert found.conformed is bool(broken.conformance)
    assert len(found.sha256) == 64


REFUSED = {
    "format of another version": ({"format": 2}, "it has format 2, but this version reads format 3"),
    "format of an older version": ({"format": 1}, "it has format 1"),
    "no format": ({"format": ...}, "it is not the results.json of a"),
    "a format that is true": ({"format": True}, "it is not the results.json of a"),
    "no claims": ({"claims": ...}, "it is not the results.json of a"),
    "not complete": ({"complete": False}, "its run was interrupted"),
    "complete by a word": ({"complete": "yes"}, "its run was interrupted"),
    "claims that are none": ({"claims": [1]}, "its content does not match the schema"),
    "a claim without a verdict": ({"claims": [{"id": "a"}]}, "its content does not match the schema: KeyError"),
    "an unknown verdict": (
        {"claims": [{"id": "a", "expected": "PROVED", "verdict": "FINE", "contradictions": []}]},
        "'FINE' is not a valid Verdict",
    ),
    "failures that are no texts": ({"failures": [None]}, "None is not a text"),
    "no options": ({"options": None}, "its content does not match the schema"),
    "no conformance": ({"conformance": ...}, "its content does not match the schema"),
    "required that is no list": ({"required": {"a": 1}}, "its content does not match the schema"),
    "a comparer that does not work": (
        {"self_tests": [{"name": "a", "noticed": False, "said": "-"}]},
        "a self-test of its run failed",
    ),
}


@each("name", REFUSED)
def test_invalid_baseline_is_refused(name, green, tmp_path_factory):
    fields, said = REFUSED[name]
    path = kept(green, tmp_path_factory.mktemp("baseline"), **fields)
    with pytest.raises(UsageError) as error:
        read(path)
    assert str(error.value).startswith(f"cannot compare with the baseline {str(path)!r}: ")
    assert said in str(error.value)


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, [1], [None], [{}], {"a": 1}, {"vectors": 1}], ids=str)
def test_every_changed_field_is_read_or_refused(value, green, tmp_path):
    for field in json.loads(kept(green, tmp_path).read_text(encoding="utf-8")):
        path = kept(green, tmp_path, **{field: value})
        with suppress(UsageError):
            read(path)


CONTENTS = {
    "empty": (b"", "it is empty"),
    "blank": (b" \n", "it is empty"),
    "another language": (b"<testsuites/>", "it is not JSON, or is truncated"),
    "bytes": (b"\xff\xfe\x00", "it is not JSON, or is truncated"),
    "nested": (b"[" * 100_000, "it is not JSON, or is truncated"),
    "a list": (b"[]", "it is not the results.json of a"),
    "a number": (b"1", "it is not the results.json of a"),
}


@each("name", CONTENTS)
def test_file_without_results_is_refused(name, tmp_path_factory):
    content, said = CONTENTS[name]
    path = tmp_path_factory.mktemp("baseline") / "results.json"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=said):
        read(path)


def test_truncated_file_is_refused_at_every_length(green, tmp_path):
    whole = kept(green, tmp_path).read_bytes()
    cut = tmp_path / "cut.json"
    for length in range(1, len(whole), len(whole) // 50):
        cut.write_bytes(whole[:length])
        with pytest.raises(UsageError, match="is truncated"):
            read(cut)


def test_directory_is_refused_with_the_file_in_it(green, tmp_path):
    with pytest.raises(UsageError, match=r"it is a directory$"):
        read(tmp_path)
    path = kept(green, tmp_path)
    with pytest.raises(UsageError, match=rf"it is a directory; did you mean '{path}'\?$"):
        read(tmp_path)


def test_digest_is_of_the_bytes(green, tmp_path):
    """Two files with equal content but different bytes are distinguished."""
    path = kept(green, tmp_path)
    first = read(path)
    path.write_text(f"{path.read_text(encoding='utf-8')} ", encoding="utf-8")
    assert read(path).sha256 != first.sha256
    assert read(path).claims == first.claims


OTHERWISE = {
    "bounds": ({"queues": 16}, {"queues": 64}, "with queues 16, but this run uses queues 64"),
    "quick": ({"quick": True}, {"quick": False}, "with quick true, but this run uses quick false"),
    "solver": ({"solver": "z3"}, {"solver": "both"}, "with solver z3, but this run uses solver both"),
    "command": ({"quick": True}, {}, "its run used rebalance verify with quick true, but this run uses no quick"),
}


@each("name", OTHERWISE)
def test_run_with_other_options_is_refused(name, green, tmp_path_factory):
    then, now, said = OTHERWISE[name]
    path = kept(replace(green, options=then), tmp_path_factory.mktemp("baseline"))
    claims = [result.claim.id for result in green.claims]
    with pytest.raises(UsageError, match=said):
        fitting(read(path), now, claims)
    fitting(read(path), then | {"jobs": 3, "seed": 7, "timeout": 1.0, "vectors": "elsewhere"}, claims)


def test_run_of_other_claims_is_refused_and_partial_run_is_not(green, tmp_path):
    found = read(kept(green, tmp_path))
    with pytest.raises(
        UsageError, match=r"its run judged other claims than this run: 3 claims, 'allocation.avg.* among them"
    ):
        fitting(found, green.options, ["allocation.hash.disjoint"])
    fitting(found, green.options, ["allocation.hash.disjoint", "allocation.circle.disjoint"])
    with pytest.raises(UsageError, match="its run judged no claim"):
        fitting(read(kept(BROKEN["nothing checked"](green), tmp_path)), green.options, [])


def test_hostile_text_is_printed_on_one_line(green, tmp_path):
    path = kept(with_claim(green, Verdict.UNKNOWN, HOSTILE), tmp_path, started=HOSTILE)
    assert read(path).name.isprintable()
