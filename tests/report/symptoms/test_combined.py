"""Facts that count together, doubtful causes, and words that mean something only in their place."""

from dataclasses import replace

import pytest

from rebalance_proofs.recorded.knowledge.schema import loaded
from rebalance_proofs.report.symptoms import narrowed
from rebalance_proofs.report.symptoms import understood as meaning
from rebalance_proofs.report.symptoms.answer import found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.brief import brief, helps
from rebalance_proofs.report.symptoms.cause import After, Facts, Reach, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.narrowed import first_of, minor, ranked
from rebalance_proofs.report.symptoms.understood import Hint, understood
from tests.each import each
from tests.report.symptoms.test_kinds import answered

COMBINED = loaded("words")["combined"]
NAMES = {one.name for one in CAUSES}


def first(text: str) -> list[str]:
    """Return the first causes of the answer to a text."""
    return answered(text)[1]


def test_rules_name_known_facts_and_causes():
    files = loaded("words")
    said = {entry["says"]["en"] for file in files.values() for entry in file.get("meaning", ()) if "says" in entry}
    known = said | {f"symptom {one.value}" for one in Symptom} | {f"after {one.value}" for one in After}
    known |= {f"mode {word}" for entry in files["mode"]["meaning"] for word in entry.get("means", "").split()}
    for rule in COMBINED["rule"]:
        assert {part for each in rule["when"] for part in each.removeprefix("!").split("|")} <= known, rule
        assert {*rule["causes"]} <= NAMES
        assert {*rule.get("symptoms", ())} <= {one.value for one in Symptom}
        assert not {*rule} - {"when", "causes", "symptoms", "weight", "sure"}


def test_families_are_disjoint_groups_of_causes():
    every = [name for family in COMBINED["family"] for name in family["causes"]]
    assert {*every} <= NAMES
    assert len({*every}) == len(every)


@each(
    ("text", "wanted"),
    [
        ("one queue has a growing backlog", "listener-blocks"),
        ("有一个队列一直堆积, 其他队列正常", "listener-blocks"),
        ("the consumer hangs after a few minutes", "listener-blocks"),
        ("broadcasting: duplicates after each restart", "broadcasting-offsets-local"),
        ("CONSUME_FROM_LAST_OFFSET has no effect", "starts-at-zero"),
        ("CONSUME_FROM_FIRST_OFFSET has no effect", "committed-offset-wins"),
        ("consumeFromWhere 不生效", "committed-offset-wins"),
        ("the consumer did not consume what was sent during the disconnection", "nothing-committed"),
        ("what happens if I reduce the queues?", "queues-reduced"),
        ("will messages be lost if I decrese the number of queues", "queues-reduced"),
        ("the offset goes back to the minimum by itself, orderly", "offset-illegal"),
        ("a pull consumer does not read some of the queues", "pulls-by-hand"),
        ("consumer offset is larger than the broker offset", "offset-above-broker"),
    ],
)
def test_first_cause_follows_all_facts(text, wanted):
    assert first(text)[0] == wanted


@each(
    "text",
    ["one queue has a growing backlog", "one queue is stuck", "一个队列不消费", "某个队列积压越来越多"],
)
def test_stalled_queue_is_not_explained_by_too_many_consumers(text):
    assert "more-consumers-than-queues" not in first(text)


@pytest.mark.parametrize(
    "text",
    [
        "the topic was expanded, the new queues are not consumed",
        pytest.param(
            "topic扩容后部分队列无法消费",
            marks=pytest.mark.xfail(strict=True, raises=AssertionError, reason="not-subscribed and same-client-id"),
        ),
    ],
)
def test_added_queues_may_be_on_a_broker_without_the_group(text):
    assert "group-not-created" in first(text)


@each(
    ("text", "denied", "symptoms"),
    [
        ("lag is 0, messages are missing", ["stuck"], ["lost"]),
        ("no lag, messages are consumed twice", ["stuck"], ["twice"]),
        ("没有堆积, 但是消息丢了", ["stuck"], ["lost"]),
        ("diff为0, 重复消费", ["stuck"], ["twice"]),
    ],
)
def test_group_without_a_backlog_does_not_stall(text, denied, symptoms):
    words = understood(text)
    assert [one.value for one in words.denied] == denied
    assert [one.value for one in words.symptoms] == symptoms


@each("text", ["how to avoid duplicates when scaling", "如何避免重复消费", "怎么保证消息不重复消费"])
def test_question_how_to_avoid_a_symptom_is_about_it(text):
    assert [one.value for one in understood(text).symptoms] == ["twice"]
    assert not understood(text).denied


@each("text", ["topic lost-messages", "group duplicate-events", "consumergroup stuck-orders"])
def test_word_with_a_hyphen_after_topic_or_group_is_a_name(text):
    assert not understood(text).symptoms
    assert understood(text.split(" ")[1]).symptoms


@each(
    ("text", "clients"),
    [
        ("duplicates after an upgrade from 4.9.4 to 5.1.0", ["5.1.0"]),
        ("客户端从4.9.4升级到5.1.0后重复消费", ["5.1.0"]),
        ("duplicates, 4.9.4 and 5.1.0 in one group", ["4.9.4", "5.1.0"]),
    ],
)
def test_old_version_of_an_upgrade_is_no_second_client(text, clients):
    assert [one.release for one in understood(text).clients] == clients


def test_number_of_consumers_is_no_number_of_versions():
    assert "several versions in one group" not in {one.en for one in understood("two consumers, native version").said}
    assert "several versions in one group" in {one.en for one in understood("two versions in one group").said}


def test_first_queue_is_not_a_new_queue():
    assert not understood("the first queue is stuck").after
    assert understood("the new queue is stuck").after == (After.NEW,)


def test_state_in_a_sentence_is_not_the_state_in_the_console():
    assert "console-says-not-consumed" not in first("消费状态正常但是一个队列堆积")
    assert first("控制台消费状态未知")[0] == "console-says-not-consumed"


@each(
    ("text", "cause"),
    [
        ("consumer return RECONSUME_LATER but no retry message", "reconsume-later"),
        ("About the shutdown of a consumer", "hand-over"),
        ("one consumer group with two different tags", "tags-differ"),
        ("AllocateMessageQueueConsistentHash", "uneven-hash"),
    ],
)
def test_component_without_a_symptom_has_its_causes(text, cause):
    assert not understood(text).symptoms
    assert cause in first(text)


def test_names_in_quotes_are_no_words_but_quoted_chinese_is():
    assert [one.value for one in understood("监控显示“消息积压”上升").symptoms] == ["stuck"]
    assert not understood("topic 'lag'").symptoms


def test_first_causes_fit_as_long_as_others_do():
    facts = Facts(After.ALWAYS, lasted=8 * 3_600_000, over=False)
    every = ranked(found(Symptom.STUCK, Asked()), facts, (), (Symptom.STUCK,))
    chosen = first_of(every, (Symptom.STUCK,))
    assert not [one for one in chosen if one.against or minor(one.found)]
    names = {one.found.cause.name for one in chosen}
    assert not any(len(names & {*family["causes"]}) > 1 for family in COMBINED["family"])


def test_doubtful_cause_is_listed_if_it_is_hinted_at_or_nothing_else_is_left():
    facts = Facts(After.CRASH, Reach.ONE)
    every = ranked(found(Symptom.TILTED, Asked()), facts, (), (Symptom.TILTED,))
    assert len(first_of(every, (Symptom.TILTED,))) == 3
    hint = Hint("several-on-a-host", sure=True, weight=8.0)
    hinted = ranked(found(Symptom.TILTED, Asked()), facts, (hint,), (Symptom.TILTED,))
    assert first_of(hinted, (Symptom.TILTED,))[0].found.cause.name == "several-on-a-host"


def test_negative_hint_makes_a_cause_less_likely():
    every = found(Symptom.STUCK, Asked())
    plain, hinted = (
        {one.found.cause.name: one.bits for one in ranked(every, Facts(), hints)}
        for hints in ((), (Hint("not-subscribed", sure=False, weight=-2.0),))
    )
    assert hinted["not-subscribed"] == plain["not-subscribed"] + 2.0


def test_further_hints_hardly_add_up():
    every = found(Symptom.STUCK, Asked())
    hints = [Hint("not-subscribed", sure=False, weight=3.0)] * 5
    one, many = (
        {one.found.cause.name: one.bits for one in ranked(every, Facts(), told)}["not-subscribed"]
        for told in (hints[:1], hints)
    )
    assert 0 < one - many <= narrowed.MORE


def test_cause_without_a_fix_for_the_client_has_no_line_for_it():
    """A cause whose fixes are all for other clients is printed without one."""
    one = next(one for one in found(Symptom.STUCK, Asked("node")) if one.possible)
    fixes = tuple(replace(fix, clients=("java",)) for fix in one.cause.helps)
    bare = replace(one, cause=replace(one.cause, helps=fixes))
    assert helps(one)
    assert not helps(bare)
    (every,) = ranked([bare], Facts())
    assert not [line for line in brief("", Asked("node"), [every], "") if line.lstrip().startswith("Fix:")]


def test_seeded_fault_without_rules_is_noticed(monkeypatch):
    monkeypatch.setattr(meaning._Reader, "_combined", lambda *_: None)
    with pytest.raises(AssertionError):
        assert answered.__wrapped__("broadcasting: duplicates after each restart")[1][0] == "broadcasting-offsets-local"
