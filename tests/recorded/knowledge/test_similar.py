"""Words speak for the causes of the known questions that have them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.recorded.knowledge.learned import digest, learned
from rebalance_proofs.recorded.knowledge.similar import INDEX, similar, terms
from rebalance_proofs.recorded.knowledge.sources import asked

QUESTIONS = asked()
KNOWN = [
    {
        "causes": ["same-client-id", "hand-over"],
        "en": ["both pods print each message", "each message arrives at both pods"],
        "zh": ["两个实例都收到消息", "消息两个实例都有"],
    },
    {
        "causes": ["too-slow"],
        "en": ["the backlog grows each night", "a backlog at night"],
        "zh": ["每天晚上堆积", "晚上消息堆积"],
    },
    {"causes": [], "en": ["how do I install the dashboard", "install a dashboard"]},
]
SMALL = learned(KNOWN)


def test_weights_are_those_of_the_questions():
    told = "run python -m rebalance_proofs.recorded.knowledge"
    assert json.loads(INDEX.read_bytes())["questions"] == digest(QUESTIONS), told


def test_digest_differs_for_another_cause_or_text():
    first, *others = KNOWN
    assert digest(KNOWN) == digest([*KNOWN])
    assert digest(KNOWN) != digest([{**first, "causes": ["hand-over", "same-client-id"]}, *others])
    assert digest(KNOWN) != digest([{**first, "en": ["both hosts print each message"]}, *others])


def test_every_question_is_there_once():
    texts = [text.casefold() for one in QUESTIONS for text in (*one.get("en", ()), *one.get("zh", ()))]
    assert sorted({*texts}) == sorted(texts)


def test_most_known_questions_have_their_main_cause_first():
    some = [(text, one["causes"]) for one in QUESTIONS for text in (*one.get("en", ()), *one.get("zh", ()))][::40]
    right = 0
    for text, causes in some:
        found = similar(text)
        best = next(iter(found.causes))
        right += best in causes if causes else found.none > found.causes[best]
    assert right > 0.95 * len(some)


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


def test_causes_of_similar_questions_are_the_likeliest():
    found = similar("each message is printed by both pods", SMALL)
    assert [*found.causes][:2] == ["same-client-id", "hand-over"]
    assert found.causes["same-client-id"] > found.causes["hand-over"]
    assert next(iter(similar("晚上消息堆积", SMALL).causes)) == "too-slow"


def test_questions_without_a_cause_make_none_likely():
    found = similar("install dashboard", SMALL)
    assert found.none > 0.8
    assert found.known == 1


def test_unknown_words_are_not_known():
    assert similar("quick brown fox", SMALL).known == 0
    assert 0 < similar("backlog of a fox", SMALL).known < 1


@given(st.text(max_size=60))
def test_probabilities_add_up_to_1(text):
    found = similar(text, SMALL)
    assert 0 <= found.known <= 1
    assert sum(found.causes.values()) + found.none == pytest.approx(1)


def test_rare_term_has_more_information_than_a_frequent_one():
    texts = ["lag at night", "lag at noon", "lag at midnight", "late at noon"]
    known = learned([{"causes": ["too-slow"], "en": texts}])
    assert similar("noon", known).weight > similar("lag", known).weight > 0


def test_weights_are_the_same_each_time():
    assert learned(KNOWN) == SMALL
