"""``rebalance replay``: a counterexample step by step, compared with its trace."""

import json
import os

import pytest

from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.report.claims.played import FORMAT, trace_of
from rebalance_proofs.report.kinds import smallest

ONE_OF_EACH = (
    "allocation.avg.covers.without-same-cid-all",
    "transition.java_v5_2.listener.push-orderly",
    "ordered.java_v5_2.exclusive.without-time",
    "offsets.java_v4_9.once",
    "pulls.java_v5_2_0.has-request.without-store",
    "settling.java_v4_9_to_v5_1.apart",
    "subscriptions.java_v4_9_to_v5_3.own-tags.without-same-tags",
    "registry.java_v4_9_to_v5_3.told-late.without-whole",
    "receiving.python_v5_1_1.one-loop",
)
RUNS = ONE_OF_EACH[2:]


def document(claim_id):
    (claim,) = select([claim_id])
    return json.loads(json.dumps(trace_of(claim, smallest(claim))))


@pytest.fixture
def written(tmp_path):
    """``written(document)`` or ``written("text")``: path of a file with that content."""

    def write(what):
        path = tmp_path / "trace.itf.json"
        path.write_text(what if isinstance(what, str) else json.dumps(what), encoding="utf-8")
        return str(path)

    return write


def test_replayed_claims_cover_every_kind():
    assert {claim.split(".")[0] for claim in ONE_OF_EACH} == {claim.kind for claim in LEDGER}


@pytest.mark.parametrize("claim", ONE_OF_EACH)
def test_replayed_states_equal_the_code(call, written, claim):
    trace = document(claim)
    by_claim, by_file = call("replay", claim), call("replay", written(trace))
    assert (by_claim.status, by_claim.err) == (0, "")
    assert by_claim.out == by_file.out
    states = len(trace["states"])
    assert f"; {states} state{'s' if states > 1 else ''} of the trace agreed" in by_claim.out
    assert by_claim.out.splitlines()[0] == f"{claim} does not hold."
    assert trace["#meta"]["description"].split(". ")[-1].rstrip(".")[-20:] in by_claim.out


def changed(value):
    """Another one of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return [changed(value[0]), *value[1:]] if value else ["more"]
    if isinstance(value, dict):
        name = next(iter(value))
        return value | {name: changed(value[name])}
    return f"{value} and more"


@pytest.mark.parametrize("claim", ONE_OF_EACH)
def test_each_wrong_value_is_reported(call, written, claim):
    """In the last state every variable is changed, in the other states one variable in turn."""
    whole = document(claim)
    last = len(whole["states"]) - 1
    wrong = [(last, name) for name in whole["vars"]]
    wrong += [(number, whole["vars"][number % len(whole["vars"])]) for number in range(last)]
    for number, name in wrong:
        trace = json.loads(json.dumps(whole))
        trace["states"][number][name] = changed(trace["states"][number][name])
        called = call("replay", written(trace))
        assert (called.status, called.err) == (1, ""), (number, name)
        begins = "initial state: " if claim in RUNS else "state 0: "
        named = begins if not number else f"step {number} (" if claim in RUNS else f"state {number}: "
        assert called.out.startswith(f"{claim}: {named}"), called.out
        assert f"`{name}" in called.out
        assert " in the trace, and " in called.out


def test_true_and_1_are_different_values(call, written):
    trace = document(RUNS[0])
    trace["states"][-1]["runs"] = [1, 1]
    called = call("replay", written(trace))
    assert called.status == 1
    assert "step 10 (starts): `runs[0]` is 1 in the trace, and true in the client's code." in called.out


@pytest.mark.parametrize("claim", RUNS)
def test_missing_step_is_reported(call, written, claim):
    """No step of the shortest run can be removed: the result is impossible, different, or breaks nothing."""
    whole = document(claim)
    for left_out, state in enumerate(whole["states"][1:], start=1):
        if state["action"] != "observes":  # an inspection, which no component makes
            trace = json.loads(json.dumps(whole))
            del trace["states"][left_out]
            called = call("replay", written(trace))
            assert (called.status, called.err) == (1, ""), left_out


def test_impossible_step_is_reported(call, written):
    trace = document(RUNS[0])
    trace["states"][2]["#meta"]["does"]["at"] = 0
    trace["states"][3]["#meta"]["does"]["action"] = "ends"
    trace["states"][3]["#meta"]["does"]["said"] = {"more": False}
    trace["states"][2]["now"] = 0
    called = call("replay", written(trace))
    assert called.status == 1
    assert called.out.startswith(f"{RUNS[0]}: step 3 (ends): the client's code does not do this at that time.")


def test_trace_outside_the_assumptions_is_no_counterexample(call, written):
    """The code does it, but the claim excludes it by its premises."""
    trace = document("ordered.java_v4_9.exclusive.without-restart")
    (restart,) = (n for n, state in enumerate(trace["states"]) if state["action"] == "restarts")
    trace["#meta"]["source"] = "ordered.java_v4_9.exclusive.without-time"
    called = call("replay", written(trace))
    assert called.status == 1
    assert f"step {restart} (restarts): the claim's assumptions exclude it." in called.out


def test_trace_that_violates_nothing_is_reported(call, written):
    trace = document(RUNS[0])
    trace["states"] = trace["states"][:4]
    called = call("replay", written(trace))
    assert called.status == 1
    assert "the client's code takes all steps, but no guarantee is broken at the end." in called.out


def edited(**meta):
    trace = document(ONE_OF_EACH[0])
    trace["#meta"] |= meta
    return trace


def with_replay(**replay):
    trace = document(ONE_OF_EACH[0])
    trace["#meta"]["replay"] |= replay
    return trace


def with_step(**step):
    trace = document(RUNS[0])
    trace["states"][1]["#meta"]["does"] |= step
    return trace


def older():
    trace = document(ONE_OF_EACH[0])
    del trace["#meta"]["replay"]
    return trace


BAD = {
    "nothing": (lambda: "", "the file is not JSON, or is truncated (line 1"),
    "half": (lambda: json.dumps(document(RUNS[0]))[:500], "the file is not JSON, or is truncated"),
    "another": (lambda: "{}", "the file is not a trace in the ITF format"),
    "a list": (lambda: "[]", "the file is not a trace in the ITF format"),
    "deep": (lambda: "[" * 100_000, "the file is not JSON of a trace"),
    "long number": (lambda: "9" * 10_000, "the file is not JSON of a trace"),
    "unknown claim": (
        lambda: edited(source="allocation.nobody.knows"),
        "its claim is unknown to this version: 'allocation.",
    ),
    "hostile claim": (lambda: edited(source="\x1b[31m"), "\\x1b[31m"),
    "earlier": (
        older,
        "an earlier version wrote the trace, without replay data; `rebalance prove allocation.avg.covers.",
    ),
    "later": (lambda: with_replay(format=FORMAT + 1), f"the trace has format {FORMAT + 1}, but this version reads"),
    "true": (lambda: with_replay(format=True), "the trace has format True"),
    "no states": (lambda: edited() | {"states": []}, "the trace has no states"),
    "states of text": (lambda: edited() | {"states": ["x"]}, "the trace has no states"),
    "many states": (lambda: edited() | {"states": [{}] * 201}, "the trace has 201 states"),
    "other variables": (lambda: edited() | {"vars": ["x"]}, "the trace does not have the variables of allocation.avg."),
    "many consumers": (lambda: with_replay(consumers=10**9), "'consumers' is not a whole number from 1 to 64"),
    "no number": (lambda: with_replay(consumers="3"), "'consumers' is not a whole number"),
    "digits": (lambda: with_replay(digits=[0]), "'digits' needs "),
    "large digits": (lambda: with_replay(digits=[10**9] * 4), "'digits' is not the number of a group"),
    "an action that is none": (lambda: with_step(action="__init__"), "unknown action '__init__'"),
    "an action of another kind": (lambda: with_step(action=["locks"]), "unknown action ['locks']"),
    "who": (lambda: with_step(who=2), "'who' is not a whole number from 0 to 1"),
    "said": (lambda: with_step(said={"heard": 1}), "is neither true nor false"),
    "more said": (
        lambda: with_step(said={"heard": True, "limits": True}),
        "the action 'locks' has other choices than heard",
    ),
    "a time": (lambda: with_step(at=1.5), "'at' is not a whole number"),
}


@pytest.mark.parametrize("what", BAD)
def test_invalid_trace_file_prints_one_sentence(call, written, what):
    made, said = BAD[what]
    path = written(made())
    called = call("replay", path)
    assert (called.status, called.out) == (2, "")
    assert said in called.complaint
    assert path in called.complaint


def test_impossible_case_is_reported(call, written):
    trace = document(ONE_OF_EACH[1])
    for replay, said in (
        ({"mode": "pull"}, "'mode' is not a mode of the claim: push orderly"),
        ({"queues": 9}, "'queues' is not a whole number from 1 to 8"),
        ({"unusual": {"nothing": 1}}, "'unusual' has an unknown name"),
        ({"unusual": {"lock": 99}}, "'lock' cannot be 99"),
        ({"unusual": {"lock": True}}, "'lock' cannot be True"),
    ):
        trace["#meta"]["replay"] = document(ONE_OF_EACH[1])["#meta"]["replay"] | replay
        called = call("replay", written(trace))
        assert called.status == 2
        assert said in called.complaint


def test_too_large_trace_is_refused(call, tmp_path):
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(2**33)
    assert "the file has 8,589,934,592 bytes, but a trace has at most 4,000,000" in call("replay", str(path)).complaint


def test_pipe_or_missing_trace_is_refused(call, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "text.json").write_bytes(b"\xff\xfe")
    for name, said in (
        ("pipe", "it is not a file"),
        ("none.json", "the file does not exist"),
        ("text.json", "not UTF-8 text"),
    ):
        assert said in call("replay", str(tmp_path / name)).complaint


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("allocation.avg.disjoint", "allocation.avg.disjoint has no counterexample, because it holds"),
        ("joins.avg.*", "'joins.avg.*' selects 4 claims; name one: `rebalance list 'joins.avg.*'` lists them"),
        ("joins.avg.onec", "did you mean 'joins.avg.once'?"),
    ],
)
def test_claim_without_a_counterexample_is_reported(call, claim, said):
    called = call("replay", claim)
    assert (called.status, called.out) == (2, "")
    assert said in called.complaint


@pytest.mark.slow
def test_every_counterexample_is_replayed_from_its_trace(call, written):
    for claim in LEDGER:
        if not claim.holds:
            assert call("replay", written(document(claim.id))).status == 0, claim.id


def test_written_counterexample_can_be_replayed(call, tmp_path):
    claim = "allocation.avg.covers.without-same-cid-all"
    assert call("prove", claim, "--output", str(tmp_path / "run")).status == 0
    called = call("replay", str(tmp_path / "run" / "counterexamples" / f"{claim}.itf.json"))
    assert (called.status, called.out) == (0, call("replay", claim).out)
