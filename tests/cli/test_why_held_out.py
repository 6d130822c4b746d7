"""Questions for which neither words nor known questions were written are answered."""

import json
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from rebalance_proofs.recorded.knowledge import similar
from rebalance_proofs.recorded.knowledge.sources import asked

QUESTIONS = tomllib.loads(Path(__file__).with_name("held_out.toml").read_text(encoding="utf-8"))["question"]
RIGHT, MISLEADING = 0.82, 0.04
"""Least share of right answers, and largest share of misleading ones."""


def scored(call, one):
    """Whether an answer is right, misleading, missing or wrong."""
    answer = json.loads(call("why", "--json", "--", one["ask"]).out)
    first = answer["first"][:3] or [name for line in answer["lines"] for name in line["causes"]][:3]
    if not one["right"]:
        return "misleading" if first else "right"
    if not first:
        return "missing"
    if first[0] in one["wrong"]:
        return "misleading"
    return "right" if {*first} & {*one["right"]} else "wrong"


def test_most_answers_are_right_and_few_mislead(call):
    scores = Counter(scored(call, one) for one in QUESTIONS)
    assert scores["right"] >= RIGHT * len(QUESTIONS), scores
    assert scores["misleading"] <= MISLEADING * len(QUESTIONS), scores


def test_known_questions_make_answers_better(call, monkeypatch):
    some = QUESTIONS[::4]
    before = Counter(scored(call, one) for one in some)
    monkeypatch.setattr(similar, "_learned", lambda: {"causes": [""], "bias": [0.0], "terms": {}})
    assert Counter(scored(call, one) for one in some)["right"] < before["right"] - len(some) / 10


def test_held_out_questions_are_not_known():
    known = {text.casefold() for one in asked() for text in (*one.get("en", ()), *one.get("zh", ()))}
    assert known.isdisjoint(one["ask"].casefold() for one in QUESTIONS)


@pytest.mark.parametrize(
    "asked",
    [
        "our kafka consumer group rebalances all the time, max.poll.interval.ms is 5 minutes",
        "mqbroker does not start: Cannot allocate memory",
        "what is the difference between push and pull consumers",
        "kafka 消费者组一直 rebalance 怎么办",
        "请问怎么搭建双主双从集群",
        "the quick brown fox jumps over the lazy dog in the kubernetes garden",
        "hello world",
    ],
)
def test_another_subject_is_not_answered(call, asked):
    assert call("why", asked).status == 2


def test_text_without_a_symptom_is_answered_by_known_questions(call):
    answer = call("why", "customers were billed two times when we rolled out the new payment service")
    assert answer.status == 0
    assert "Known questions with similar words have these causes:" in answer.out


def test_answer_about_another_subject_does_not_deny_the_symptom(call):
    out = call("why", "Kafka consumer lag").out
    assert "about another subject" in out
    assert "No symptom was recognised" not in out


def test_cause_without_a_claim_for_the_client_is_answered_for_the_asked_client(call):
    answer = json.loads(call("why", "--json", "--client", "node", "static topic").out)
    assert answer["asked"]["client"] == "node"
    assert answer["first"] == ["static-topic"]
    told = "No claim about this cause covers Node; this is the answer for other clients."
    assert answer["untold"] == [told]
    everything = call("why", "--all", "--client", "node", "static topic").out
    assert told in everything.splitlines()
    answer = json.loads(call("why", "--all", "--json", "--client", "node", "static topic").out)
    assert answer["untold"] == [told]
