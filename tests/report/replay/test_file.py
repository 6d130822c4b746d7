"""Trace files: their limits on bytes and states, and the messages about invalid files."""

import re

import pytest

from rebalance_proofs.report.claims.played import FORMAT
from rebalance_proofs.report.replay.file import NotATrace, bare, document, does, recipe, states


@pytest.mark.parametrize(
    ("more", "said"), [(0, ""), (1, "the file has 4,000,001 bytes, but a trace has at most 4,000,000")]
)
def test_size_of_a_file_is_limited(tmp_path, more, said):
    file = tmp_path / "trace.itf.json"
    file.write_text("{}" + " " * (4_000_000 - 2 + more), encoding="utf-8")
    if said:
        with pytest.raises(NotATrace, match=re.escape(said)):
            document(file)
    else:
        assert document(file) == {}


@pytest.mark.parametrize("what", ["nothing", "a folder"])
def test_missing_files_and_folders_are_rejected(tmp_path, what):
    said = "the file does not exist" if what == "nothing" else "it is not a file"
    with pytest.raises(NotATrace, match=said):
        document(tmp_path if what == "a folder" else tmp_path / "none.json")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff", "the file is not UTF-8 text"),
        (b"{\n", r"the file is not JSON, or is truncated (line 2: "),
        (b"[" * 100_000, "the file is not JSON"),
        (b'{"a": ' + b"1" * 5_000 + b"}", "the file is not JSON of a trace"),
    ],
)
def test_invalid_content_is_reported_in_one_sentence(tmp_path, content, said):
    file = tmp_path / "trace.itf.json"
    file.write_bytes(content)
    with pytest.raises(NotATrace, match=re.escape(said)):
        document(file)


def test_states_and_variables_are_checked():
    state = {"#meta": {"index": 0}, "queue": 1}
    most = [state] * 200
    assert states({"states": most, "vars": ["queue"]}, ("queue",), "the claim") == most
    for found, said in (
        ({"states": [*most, state], "vars": ["queue"]}, "the trace has 201 states, but at most 200 are allowed"),
        ({"states": [], "vars": ["queue"]}, "the trace has no states"),
        ({"states": [state, 1], "vars": ["queue"]}, "the trace has no states"),
        ({"states": state, "vars": ["queue"]}, "the trace has no states"),
        ({"states": most, "vars": ["queues"]}, "the trace does not have the variables of the claim: queue"),
        ({"states": most}, "the trace does not have the variables of the claim: queue"),
    ):
        with pytest.raises(NotATrace, match=said):
            states(found, ("queue",), "the claim")
    assert bare([state]) == [{"queue": 1}]


def test_either_all_states_have_an_action_or_none():
    first, step, other = (
        {"#meta": {}},
        {"#meta": {"does": {"action": "joins"}}},
        {"#meta": {"does": {"action": "ends"}}},
    )
    assert does([first, step, other]) == [{"action": "joins"}, {"action": "ends"}]
    assert does([first, {"queue": 1}, first]) == does([first]) == []
    for wrong, number in (
        ([first, first, step], 1),
        ([first, step, {"queue": 1}], 2),
        ([first, step, {"#meta": 1}], 2),
    ):
        with pytest.raises(NotATrace, match=f"state {number} of the trace does not contain its action"):
            does(wrong)


@pytest.mark.parametrize(
    ("replay", "said"),
    [
        (None, "an earlier version wrote the trace, without replay data; `rebalance x` writes a new one"),
        ({}, f"the trace has format None, but this version reads format {FORMAT}; `rebalance x` writes a new one"),
        ({"format": FORMAT + 1}, f"format {FORMAT + 1}, but this version reads format {FORMAT}"),
        ({"format": True}, "format True"),
        ({"format": float(FORMAT)}, "format 1.0"),
    ],
)
def test_replay_data_of_another_version_is_refused(replay, said):
    assert recipe({"replay": {"format": FORMAT}}, "rebalance x") == {"format": FORMAT}
    with pytest.raises(NotATrace, match=re.escape(said)):
        recipe({"replay": replay}, "rebalance x")
