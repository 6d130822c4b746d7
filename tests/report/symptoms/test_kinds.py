"""Kinds of questions that people ask in public, each in several wordings of ours: the right causes come first."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rebalance_proofs.recorded.knowledge.schema import loaded
from rebalance_proofs.report.symptoms.answer import found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import After, Facts, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.narrowed import NOTICED, ranked
from rebalance_proofs.report.symptoms.understood import Understood, understood
from rebalance_proofs.report.symptoms.worded import of_symptoms
from tests.each import each

KINDS = tomllib.loads((Path(__file__).parent / "kinds.toml").read_text(encoding="utf-8"))["kind"]
MISSED = {
    "一个jvm里两个消费者, 同一个group不同topic": "two consumers in one process: rather same-client-id",
    "after the restart of the consumer everything is consumed from the beginning": "also read as duplicates",
    "kill进程时正在消费的消息被重复消费": "rather hand-over; then interrupted-and-read-again",
    "docker重启后广播消费从头开始": "rather local-offsets-not-written",
    "consumers receive messages from only one of the two brokers": "rather same-client-id; then broker-unreachable",
    "集群有3个broker, 只有一个broker的消息能消费": "rather same-client-id; then not-subscribed",
    "查询消费位点超时, 结果从头开始消费": "rather starts-at-zero; then failure-read-as-none",
}
"""Questions that are answered otherwise, with the reason."""


@cache
def answered(text: str) -> tuple[Understood, list[str]]:
    """Return what is understood, and the names of the first causes."""
    words = understood(text)
    if not words.answerable:
        return words, []
    question = Asked(words.clients[0].release if words.clients else "", words.mode)
    facts = Facts(next(iter(words.after), None), words.reach, words.over, words.lasted, words.after[1:])
    first = of_symptoms(text, None, words, question, facts, everything=False).document()["first"]
    assert isinstance(first, list)
    return words, first


def wrong(kind: Mapping[str, Any], text: str) -> str:
    """Return what is wrong with the answer to a question of the kind; empty if it is right."""
    words, first = answered(text)
    symptoms, after = [one.value for one in words.symptoms], [one.value for one in words.after]
    checks = {
        "no cause": bool(first),
        f"symptoms {symptoms}": kind.get("symptoms", symptoms) == symptoms,
        f"first {first}": not first or first[0] in kind.get("first", first),
        f"among {first}": not {*first}.isdisjoint(kind.get("among", first)) or not first,
        f"never {first}": not {*first[:1]} & {*kind.get("never", ())},
        f"after {after}": kind.get("after", "") == "" or (kind["after"] in after if kind["after"] else not after),
    }
    return ", ".join(name for name, right in checks.items() if not right)


@each("kind", KINDS, ids=lambda one: one["name"])
def test_questions_of_a_kind_have_the_right_causes_first(kind):
    found = {text: told for text in kind["questions"] if (told := wrong(kind, text))}
    assert [*found] == [text for text in kind["questions"] if text in MISSED], found


def test_missed_questions_are_few_and_are_questions_of_the_kinds():
    every = [text for kind in KINDS for text in kind["questions"]]
    assert {*MISSED} <= {*every}
    assert len(MISSED) < 0.05 * len(every)
    assert len(every) > 120


def test_wrong_answer_is_found():
    kind = {"first": ["reset"], "symptoms": ["lost"], "after": "network"}
    assert wrong(kind, "messages are consumed twice").count(",") >= 2
    assert wrong({}, "hello") == "no cause"


def test_cause_of_both_symptoms_is_before_causes_of_one():
    both = (Symptom.TWICE, Symptom.STUCK)
    every = ranked([one for each in both for one in found(each, Asked())], Facts(), (), both)
    first = every[0].found.cause
    assert all(first.effect(one) for one in both)


def test_stall_of_a_minute_is_first_only_after_its_event():
    every = found(Symptom.STUCK, Asked())
    lasting, short = (ranked(every, facts, (), (Symptom.STUCK,))[:3] for facts in (Facts(), Facts(After.NEW)))
    assert not any(0 < (one.found.most or 0) < NOTICED for one in lasting)
    assert "routes-differ" in [one.found.cause.name for one in short]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("the offset was reset from the dashboard, duplicates", ["reset"]),
        ("we reset the offset to zero and messages are consumed again", ["reset"]),
        ("offset is reset to zero, duplicates", []),
        ("位点被重置, 重复消费", []),
        ("控制台重置位点后重复消费", ["reset"]),
        ("扩容后重复消费", ["scaling"]),
        ("topic扩容后重复消费", ["new"]),
        ("消费者宕机后不消费", ["crash"]),
        ("broker断网后不消费", ["network"]),
    ],
)
def test_event_is_told_from_similar_ones(text, after):
    assert [one.value for one in understood(text).after] == after


def test_words_of_one_mode_count_only_with_that_mode():
    text = "cannot consume the previous messages after a restart"
    assert answered(f"broadcasting: {text}")[1][0] == "broadcasting-offsets-local"
    assert "broadcasting-offsets-local" not in answered(text)[1][:1]


def test_symptoms_that_causes_are_taken_for_are_not_their_own():
    assert any(cause.taken_for for cause in CAUSES)
    for cause in CAUSES:
        assert not [one for one in cause.taken_for if cause.effect(one)], cause.name
        assert all(cause.looks_like(one) for one in cause.common), cause.name


def test_replaced_symptoms_are_known():
    entries = [one for one in loaded("words")["symptom"]["meaning"] if "replaces" in one]
    assert entries
    for one in entries:
        assert {*one["replaces"]} <= {symptom.value for symptom in Symptom} - {one["means"]}
