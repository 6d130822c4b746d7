"""Known questions are found by similar words, and their causes get the votes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.recorded.knowledge.similar import INDEX, index, similar, terms
from rebalance_proofs.recorded.knowledge.sources import FOLDER, indexed, read

QUESTIONS = [one for file in read(FOLDER / "questions")[""].values() for one in file["question"]]
SMALL = index(
    [
        {
            "causes": ["same-client-id", "hand-over"],
            "en": ["both pods print each message"],
            "zh": ["两个实例都收到消息"],
        },
        {"causes": ["too-slow"], "en": ["the backlog grows each night"], "zh": ["每天晚上堆积"]},
        {"causes": [], "en": ["how do I install the dashboard"]},
    ]
)


def test_index_is_that_of_the_files():
    told = "run python -m rebalance_proofs.recorded.knowledge"
    assert json.loads(INDEX.read_bytes()) == indexed(), told


def test_every_question_is_there_once():
    texts = [text.casefold() for one in QUESTIONS for text in (*one.get("en", ()), *one.get("zh", ()))]
    assert sorted({*texts}) == sorted(texts)


def test_causes_of_a_known_question_are_voted_for():
    for one in QUESTIONS[::10]:
        for text in (*one.get("en", ()), *one.get("zh", ()))[:1]:
            votes = similar(text)
            assert {*one["causes"]} <= {*votes.causes} if one["causes"] else votes.none > 0, text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("CONSUME_FROM_LAST_OFFSET", ["consum", "last", "offset"]),
        ("pods restarted, CODE: 26", ["pod", "restart", "cod", "26"]),
        ("消息堆积", ["消", "息", "堆", "积", "消息", "息堆", "堆积"]),
        ("4.9.8 and 10911", []),
        ("", []),
    ],
)
def test_terms_are_stems_numbers_and_pairs_of_characters(text, found):
    assert terms(text) == found


def test_votes_go_to_the_causes_of_similar_questions():
    votes = similar("each message is printed by both pods", SMALL)
    assert [*votes.causes][:2] == ["same-client-id", "hand-over"]
    assert votes.causes["same-client-id"] > votes.causes["hand-over"]
    assert next(iter(similar("晚上消息堆积", SMALL).causes)) == "too-slow"


def test_questions_without_a_cause_vote_for_none():
    votes = similar("install dashboard", SMALL)
    assert votes.none == 1
    assert not votes.causes


@given(st.text(max_size=60))
def test_shares_are_a_distribution_or_empty(text):
    votes = similar(text, SMALL)
    assert 0 <= votes.nearest <= 1.5
    assert sum(votes.causes.values()) + votes.none == pytest.approx(1 if votes.nearest else 0)


def test_rare_term_has_more_information_than_a_frequent_one():
    known = index([{"causes": ["too-slow"], "en": ["lag at night", "lag at noon", "lag at midnight"]}])
    assert similar("noon", known).weight > similar("lag", known).weight > 0
