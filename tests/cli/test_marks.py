"""Conformance marks: every command that lists claims marks them as ``report.seen`` does."""

import json
import re
from collections import Counter

import pytest

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.machines.ordered.actions import CLIENTS
from rebalance_proofs.model.topics.kafka_range import KAFKA_RANGE
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.recorded.compared import compared
from rebalance_proofs.recorded.transition.notation import REBALANCE
from rebalance_proofs.report.allocation.kind import ALLOCATION
from rebalance_proofs.report.claims.mark import BRIEFLY, GROUPS, MEANINGS, Mark
from rebalance_proofs.report.claims.seen import seen, seen_of
from rebalance_proofs.report.in_brief import recorded
from rebalance_proofs.report.index.entries import mark_of, marks, together, word_of

CLAIMS = {claim.id: claim for claim in LEDGER}
ID = re.compile(r"(?<![\w./-])[a-z]+\.[\w+-]+\.[\w.-]*[\w]")
FEW = re.compile(r"observed in \d+ cases?")
MARKS = "|".join([FEW.pattern, *(mark.word for mark in Mark)])
BEHIND = re.compile(rf"(?:PROVED|REFUTED|proved|a proved bound[^;:()\n]*?), ({MARKS})(?:, [^;:()\n]*)?: ([^;()\n]*)")
WITHIN = re.compile(rf"([\w.+-]+) \((?:(?:PROVED|REFUTED), )?({MARKS})\)")
TEXTS = {
    "why lost --client 5.3.3 --mode push --all": {Mark.SEEN, Mark.FEW, Mark.ACCEPTED},
    "why stuck --client 5.3.0 --for 2m --all": {*Mark} - {Mark.PART, Mark.TESTED},
    "why dropped-entry": {Mark.SEEN},
    "settle --client 5.2 --event crash --all": {Mark.SEEN},
    "settle --client 5.2 --event broker-restart --mode push\\ orderly --all": {Mark.SEEN},
    "moves --strategy avg,circle,hash --all": {Mark.SEEN},
    "moves --grow 16:24 --all": {Mark.SEEN},
    "explore concurrent --levels 6": {Mark.SEEN},
    "explore ordered --queues 1 --levels 4 --fault crash": {Mark.SEEN},
}
"""Call -> the marks that claims have in its answer."""
MARKED = [(typed, mark) for typed, found in TEXTS.items() for mark in Mark if mark in found]


def marked(text: str) -> list[tuple[str, str]]:
    """Claims with their marks."""
    behind = [(claim, mark) for mark, told in BEHIND.findall(text) for claim in ID.findall(told)]
    return [(claim, mark) for claim, mark in (*behind, *WITHIN.findall(text)) if claim in CLAIMS]


def wrong(text: str) -> list[str]:
    """Claims that are marked otherwise than what was recorded says."""
    return [claim for claim, mark in marked(text) if mark != seen(CLAIMS[claim]).word]


@pytest.fixture
def told(call):
    def told(typed):
        called = call(*(word.replace("\\", " ") for word in typed.replace("\\ ", "\\").split()))
        assert (called.status, called.err) == (0, "")
        return called.out

    return told


@pytest.mark.parametrize("typed", TEXTS)
def test_every_listed_claim_has_its_mark(told, typed):
    text = told(typed)
    assert wrong(text) == []
    assert {FEW.sub(Mark.FEW.word, mark) for _, mark in marked(text)} == {mark.word for mark in TEXTS[typed]}
    assert text.count(BRIEFLY) == 1
    named = {claim for claim in ID.findall(text) if claim in CLAIMS}
    assert named - {claim for claim, _ in marked(text)} <= {"allocation.hash.monotone"}  # what is told besides


@pytest.mark.parametrize(("typed", "mark"), MARKED)
def test_wrong_mark_is_detected(told, typed, mark):
    other = Mark.MODEL if mark is Mark.SEEN else Mark.SEEN
    assert wrong(re.sub(FEW if mark is Mark.FEW else mark.word, other.word, told(typed)))


@pytest.mark.parametrize(("typed", "mark"), [(typed, mark) for typed, mark in MARKED if mark is not Mark.FEW])
def test_json_value_in_place_of_a_mark_is_detected(told, typed, mark, monkeypatch):
    before = {claim for claim, _ in marked(told(typed))}
    monkeypatch.setattr(Mark, "__str__", lambda one: one.value if one is mark else one.word)
    assert {claim for claim, _ in marked(told(typed))} < before, "a claim is without its mark"


@pytest.mark.parametrize(
    "typed",
    ["settle --client 5.2 --event broker-restart", "explore concurrent --levels 4", "why lost --client 5.3.3"],
)
def test_json_has_the_marks_of_the_text(told, typed):
    answer = json.loads(told(f"{typed} --json"))
    every = [answer] if "seen" in answer else answer["causes"]
    for one in every:
        assert one["seen"] == {claim: seen(CLAIMS[claim]).mark.value for claim in one["seen"]}
        assert {*one["seen"]} == claims_in({name: value for name, value in one.items() if name != "helps"})
    assert any(one["seen"] for one in every)


def claims_in(value) -> set[str]:
    if isinstance(value, dict):
        return {claim for name, one in value.items() if name != "seen" for claim in claims_in(one)}
    if isinstance(value, list):
        return {claim for one in value for claim in claims_in(one)}
    return {value} & {*CLAIMS}


def test_moves_json_has_marks_by_strategy(told):
    answer = json.loads(told("moves --strategy avg,hash,nearby --json"))
    found = {one["strategy"]: one["seen"] for one in answer["strategies"]}
    strategies = {one.name: one for one in (*ALL, KAFKA_RANGE)}
    assert found["avg"] == mark_of("movement.avg.moved").value == "seen"
    for name in ("hash", "nearby", KAFKA_RANGE.name):
        assert found[name] == seen_of(ALLOCATION, (strategies[name],)).mark.value
    assert found[KAFKA_RANGE.name] == "model only"


def test_safe_marks_every_client(call):
    for name, client in (("5.2", "java_v5_2"), ("go", "go")):
        mark = mark_of(f"ordered.{client}.exclusive")
        word = word_of(f"ordered.{client}.exclusive")
        assert f"  Real clients: {word} (ordered.{client}.exclusive)." in call("safe", "--client", name).out
        assert json.loads(call("safe", "--client", name, "--json").out)["clients"][0]["seen"] == mark.value
    (head,) = [line for line in call("safe", "--pauses").out.splitlines() if line.startswith("(real clients)")]
    assert re.split(r" {2,}", head)[1:] == [word_of(f"ordered.{client.name}.exclusive") for client in CLIENTS]


def test_list_marks_each_family(told):
    text = told("list allocation.avg.disjoint ordered.java_v5_2.let-go topics.*.level")
    assert re.findall(r"^# Real clients: (.*)$", text, re.MULTILINE) == ["observed", "not recorded", "consistent"]
    mixed = told("list transition.java_v4_9_5+java_v4_9.same.own-store transition.java_v4_9+java_v5_0.same.own-store")
    assert (
        "# Real clients: observed: Java 4.9.8 + Java 5.0 to 5.1.4; partly observed: Java 4.9.5 to 4.9.7 + Java 4.9.8"
        in mixed
    )
    assert f"# {Mark.MODEL}: {MEANINGS[Mark.MODEL]}" in text.splitlines()
    assert not [line for line in text.splitlines() if line.startswith(f"# {Mark.PART}: ")]
    assert f"# {Mark.PART}: {MEANINGS[Mark.PART]}" in mixed.splitlines()
    counted = told("list settling.java_v5_2_to_v5_3.**")
    marked = Counter(
        seen(claim).mark for name, claim in CLAIMS.items() if name.startswith("settling.java_v5_2_to_v5_3.")
    )
    assert f"# Real clients: {marked[Mark.SEEN]} observed, {marked[Mark.ACCEPTED]} consistent\n" in counted


@pytest.mark.parametrize("claim", ["allocation.avg.covers.without-same-cid-all", "offsets.java_v5.once"])
def test_replay_prints_the_mark(told, claim):
    assert f"\n  Real clients: {recorded(seen(CLAIMS[claim]))}.\n" in told(f"replay {claim}")


def test_whole_groups_have_no_recordings():
    """Explored groups count as model only: recordings are compared with machines of single members and queues."""
    strategies = {one.name for claim in LEDGER if claim.kind == "allocation" for one in claim.subjects}
    assert GROUPS is Mark.MODEL
    assert all(part == REBALANCE or part.startswith(tuple(strategies)) for _, part in compared())


def test_explored_group_prints_one_mark_line(told):
    lines = told("explore concurrent --levels 3").splitlines()
    assert [line for line in lines if line.startswith("Real clients: ")] == [
        "Real clients: not recorded: these traces are of the model. A test compares the model with random runs of "
        "groups of the clients' classes, rewritten in Python."
    ]
    assert json.loads(told("explore lock-lite --levels 3 --json"))["runs_seen"] == "model only"
    assert "these traces are of a model, which is not a real client." in told("explore lock-lite --levels 3")


def test_claims_with_different_marks_are_partly_observed():
    model, real, accepted = "ordered.go.exclusive", "allocation.avg.disjoint", "ordered.java_v5_2.let-go"
    assert together([real, "allocation.avg.covers"]) is Mark.SEEN
    assert together([model]) is Mark.MODEL
    assert together([model, real]) is together([real, accepted]) is Mark.PART
    assert together([model, accepted]) is Mark.MODEL, "what is weaker, where nothing is seen"
    assert marks([model, real]) == {model: "model only", real: "seen"}
