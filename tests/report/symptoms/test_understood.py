"""The meaning of descriptions in words: symptoms, events, extent, clients, modes, and what is ignored."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rebalance_proofs.language import use
from rebalance_proofs.recorded.knowledge.schema import loaded
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.symptoms import lexicon as words
from rebalance_proofs.report.symptoms.cause import After, Reach, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES, SDK_CAUSES
from rebalance_proofs.report.symptoms.understood import mode_named, understood
from rebalance_proofs.report.symptoms.versions import client_of
from tests.each import each
from tests.report.symptoms.phrasings import FORTY, LATER, NOTHING, OURS, PHRASINGS, PUBLIC

MISSED = 2
"""Phrasings that may be missed; none may be misread."""
UNKNOWN = (
    "prod",
    "blah",
    "zorgblatt",
    "qxwv",
    "acme",
    "monday",
    "payments-eu",
    "'order_topic'",
    "foo_bar_baz",
    "LostTopic",
)
"""Words that mean nothing here, and names."""
SENTENCES = (*OURS, *PHRASINGS, *LATER, *NOTHING)


def symptoms(text: str) -> tuple[str, ...]:
    """Return the names of the symptoms in a text."""
    return tuple(one.value for one in understood(text).symptoms)


@each("text", OURS | PUBLIC)
def test_known_description_has_its_symptoms(text):
    assert symptoms(text) == (OURS | PUBLIC)[text]


def test_nearly_all_phrasings_have_their_symptom_and_none_another():
    wanted = PHRASINGS | LATER
    found = {text: symptoms(text) for text in wanted}
    wrong = {text: one for text, one in found.items() if one and one != (wanted[text],)}
    missed = [text for text, one in found.items() if not one]
    assert not wrong
    assert len(missed) <= MISSED, missed


def test_forty_phrasings_of_the_six_symptoms_are_recognised():
    found = {text: symptoms(text) for text in FORTY}
    wrong = {text: one for text, one in found.items() if one != (FORTY[text],)}
    assert len(FORTY) == 40
    assert {*FORTY.values()} == {one.value for one in Symptom if one is not Symptom.START}
    assert len(FORTY) - len(wrong) >= 38, wrong
    assert not [one for one in wrong.values() if one]


@each("text", NOTHING)
def test_text_without_a_symptom_has_none(text):
    assert not understood(text).answerable
    assert understood(text).echo.startswith("Understood: ")


@each(
    ("text", "denied"),
    [
        ("messages are not duplicated but lost", "twice"),
        ("no duplicates, one queue is stuck", "twice"),
        ("消息没有丢失, 但是重复消费了", "lost"),
        ("没有重复消费, 但是堆积了", "twice"),
    ],
)
def test_negated_symptom_is_denied_and_the_other_stays(text, denied):
    found = understood(text)
    assert [one.value for one in found.denied] == [denied]
    assert len(found.symptoms) == 1
    assert denied not in symptoms(text)


@each(
    ("text", "after"),
    [
        ("duplicates after scaling out", After.SCALING),
        ("duplicates after a rebalance", After.SCALING),
        ("lost after a rolling update", After.DEPLOY),
        ("stuck after one broker went down", After.BROKER),
        ("stuck after a consumer crashed", After.CRASH),
        ("stuck since we changed the subscription", After.SUBSCRIPTION),
        ("offset rolled back after we reset the offsets", After.RESET),
        ("stuck, new queues were added", After.NEW),
        ("stuck suddenly", After.NOTHING),
        ("扩容后重复消费", After.SCALING),
        ("缩容后消费停滞", After.SCALING),
        ("broker重启后堆积", After.BROKER),
        ("发布后丢消息", After.DEPLOY),
        ("消费者宕机后队列不消费", After.CRASH),
        ("重置位点之后重复消费", After.RESET),
    ],
)
def test_event_is_understood(text, after):
    assert understood(text).after == (after,)


@each(
    "text",
    [
        "stuck until we restart",
        "stuck, restarting the consumer helps",
        "duplicates without a restart",
        "消费卡住, 必须重启",
        "duplicates, frequent rebalance",
    ],
)
def test_cure_or_denied_event_is_no_event(text):
    assert not understood(text).after


@each(
    ("text", "reach"),
    [
        ("one queue is stuck", Reach.ONE),
        ("only one queue is stuck", Reach.ONE),
        ("all queues are stuck", Reach.ALL),
        ("部分队列不消费", Reach.ONE),
        ("所有队列都不消费", Reach.ALL),
        *((f"{word} stuck", None) for word in ("all", "each", "only", "client", "consumer", "queue")),
        ("stuck after a consumer crashed", None),
        ("all messages are duplicated", None),
    ],
)
def test_extent_is_understood(text, reach):
    assert understood(text).reach is reach


@each(
    ("text", "lasted", "over"),
    [
        ("stuck for 20 minutes", 1_200_000, None),
        ("stuck for about 90 s and recovered", 90_000, True),
        ("stalled for 2 h, still", 7_200_000, False),
        ("消费停滞了20分钟", 1_200_000, None),
        ("堆积, 持续2小时, 一直没有恢复", 7_200_000, False),
        ("stuck every 20 s", None, None),
        ("one queue stands still", None, None),
    ],
)
def test_duration_and_course_are_understood(text, lasted, over):
    found = understood(text)
    assert (found.lasted, found.over) == (lasted, over)


@each(
    ("text", "releases"),
    [
        ("duplicates, golang", ["go"]),
        ("duplicates with go", ["go"]),
        ("duplicates with rocketmq-client-go v2.1.2", ["go"]),
        ("duplicates in Go client 2.1.1", ["go"]),
        ("duplicates, go 1.21", []),
        ("duplicates, python", ["cpp"]),
        ("duplicates, cpp 2.0.0", ["cpp"]),
        ("duplicates, nodejs", ["node"]),
        ("duplicates, rust", ["rust"]),
        ("duplicates 4.9.8", ["4.9.8"]),
        ("duplicates V4_9_1", ["4.9.1"]),
        ("duplicates 5.x", ["5.5.0"]),
        ("duplicates, Java 4.3", ["4.9.0"]),
        ("duplicates, rocketmq 3.2.6", ["4.9.0"]),
        ("duplicates, rocketmq-spring-boot-starter 2.2.3", ["5.0.0"]),
        ("duplicates, rocketmq-spring 2.3.0", ["5.2.0"]),
        ("duplicates, spring boot 2.7.5", [""]),
        ("duplicates, jdk 1.8", []),
        ("duplicates, broker 4.9.4", []),
        ("duplicates at 10.0.0.3:10911", []),
        ("duplicates of 4.5 GB", []),
        ("客户端版本4.9.3重复消费", ["4.9.3"]),
        ("duplicates, 4.9.8 and 5.3.3 in one group", ["4.9.8", "5.3.3"]),
    ],
)
def test_client_is_understood_as_people_write_it(text, releases):
    assert [one.release for one in understood(text).clients if one.release or releases] == releases


def test_client_that_is_not_modelled_is_answered_by_another():
    (old,) = understood("duplicates, Java 3.2.6").clients
    assert old.note == "Java 3.2.6 is not modelled; the answer is about 4.9.0, the oldest modelled version."
    (python,) = understood("duplicates, python").clients
    assert "wraps the C++ client" in python.note
    (spring,) = understood("duplicates, rocketmq-spring-boot-starter 2.2.2").clients
    assert spring.note == "rocketmq-spring 2.2.2 contains rocketmq-client 4.9.3."


@each(
    ("typed", "release"), [("rocketmq-client-go v2.1.2", "go"), ("python", "cpp"), ("spring", ""), ("3.2.6", "4.9.0")]
)
def test_option_takes_clients_in_other_words(typed, release):
    found = client_of(typed)
    assert found
    assert found.release == release


@each("typed", ["kafka", "stuck", "golang and java", ""])
def test_option_refuses_what_names_no_client(typed):
    assert client_of(typed) is None


@each(
    ("typed", "mode"),
    [
        ("orderly", "push orderly"),
        ("MessageListenerConcurrently", "push"),
        ("顺序消费", "push orderly"),
        ("广播", "push broadcasting"),
        ("broadcasting", "push broadcasting"),
        ("clustering", ""),
        ("集群模式", ""),
        ("ordered broadcasting", "push orderly broadcasting"),
        ("litepull", "lite pull"),
        ("pusch-ish", None),
        ("lunch", None),
    ],
)
def test_mode_is_understood_as_people_write_it(typed, mode):
    assert mode_named(typed) == mode
    if mode:
        assert understood(f"duplicates, {typed}").mode == mode


@each(
    "text",
    ["OrderConsumerGroup stuck_topic", "topic 'lost'", "group %RETRY%duplicate", "`stalled` blah", "twice_topic-a"],
)
def test_names_are_not_words(text):
    assert not symptoms(text)


@each(
    ("text", "symptom"),
    [("dupilcate messages", "twice"), ("mesages are stallled", "stuck"), ("offsett rolled bakc", None),
     ("unevn distribution of queues, unbalancd", "tilted"), ("rebalacing all the time", "often")],
)  # fmt: skip
def test_typos_are_tolerated(text, symptom):
    assert symptoms(text) == ((symptom,) if symptom else ())


@each(
    "word",
    ["clock", "black", "stack", "store", "stored", "installed", "parsing", "parsed", "reported", "exclusive", "writing",
     "reuse", "reply", "doing", "small", "product", "loads", "looks", "wants", "boss", "lots", "packed", "sticky"],
)  # fmt: skip
def test_known_word_is_not_read_as_another(word):
    assert not understood(f"the {word}").something
    assert symptoms(f"the {word} is here") == ()


def test_echo_lists_what_was_understood_and_ignored():
    assert understood("duplicates after scaling out, java 5.2, our prod").echo == (
        "Understood: duplicates, after scaling out, Java 5.2. Ignored: 'prod'."
    )
    assert understood("client does not rebalance").echo == "Understood: nothing."


def test_echo_is_in_the_language_in_use():
    use("zh")
    try:
        assert "重复消费" in understood("扩容后重复消费").echo
    finally:
        use("en")


def test_several_symptoms_are_all_understood():
    assert set(symptoms("messages are lost and duplicated and one queue is stuck")) == {"lost", "twice", "stuck"}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SENTENCES), st.lists(st.sampled_from(UNKNOWN), max_size=4), st.booleans())
def test_unknown_words_never_change_the_understanding(text, more, first):
    added = ". ".join(more)
    assert understood(f"{added}. {text}" if first else f"{text}. {added}") == understood(text)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([one for one in SENTENCES if "_" not in one and "'" not in one and one.isascii()]))
def test_upper_case_does_not_change_the_symptoms(text):
    if not any(part[1:].lower() != part[1:] for part in text.split()):
        assert symptoms(text.upper()) == symptoms(text)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SENTENCES), st.sampled_from(("!", "?", "...", " :(", "?!", "。")))
def test_final_punctuation_does_not_change_the_understanding(text, end):
    assert understood(text.rstrip(".") + end) == understood(text)


@settings(max_examples=60, deadline=None)
@given(st.permutations(["duplicates", "after a deploy", "on one queue", "with golang", "broadcasting"]))
def test_order_of_parts_does_not_change_the_understanding(parts):
    found = understood(", ".join(parts))
    assert [one.value for one in found.symptoms] == ["twice"]
    assert (found.after, found.reach, found.mode) == ((After.DEPLOY,), Reach.ONE, "push broadcasting")
    assert [one.release for one in found.clients] == ["go"]


def test_words_name_known_values():
    """Check the files of words: each value exists, and each phrase is made of terms."""
    files = loaded("words")
    terms = {one["name"] for one in files["terms"]["term"]}
    values = {
        "symptom": {one.value for one in Symptom},
        "trigger": {one.value for one in After},
        "scope": {one.value for one in Reach},
        "course": {"over", "still"},
        "mode": {*MODES, "clustering"},
        "wish": {"request", "question"},
        "client": {"java", "go", "node", "cpp", "rust"},
        "subject": {one["anchor"] for one in loaded("")["unmodelled"]["subject"]},
    }
    for name, file in files.items():
        kind = file.get("kind", name)
        for entry in file.get("meaning", ()):
            assert not {*entry} - FIELDS, entry
            assert "means" not in entry or entry["means"] in values[kind], entry
            assert {*entry.get("causes", ())} <= {one.name for one in (SDK_CAUSES if kind == "sdk" else CAUSES)}, entry
            assert {*entry.get("symptoms", ())} <= {one.value for one in Symptom}, entry
            assert ("says" in entry) == (words.Meaning(kind, entry, ()).hides is False and "hint" not in entry), entry
            for phrase in entry.get("phrases", ()):
                parts = {name for part in phrase.split() for name in part.split("|")} - {"~", "~~"}
                assert parts <= terms, (kind, phrase)
                assert not phrase.startswith("~"), phrase
                assert not phrase.endswith("~"), phrase
                assert "~ ~" not in phrase, phrase


FIELDS = {"means", "also", "replaces", "says", "denied", *words.LANGUAGES, "phrases", "hints", "hint", "mode", "causes",
          "sure", "symptoms", "weight", "wraps", "package", "denies", "alone", "firm", "whole", "shows",
          "excludes"}  # fmt: skip


def test_forms_are_in_lower_case_and_in_one_meaning_of_a_file():
    for name, file in loaded("words").items():
        kind = file.get("kind", name)
        seen: dict[str, object] = {}
        for entry in file.get("meaning", ()):
            for language in words.LANGUAGES:
                for form in entry.get(language, ()):
                    assert form == form.casefold(), (kind, form)
                    assert " ".join(form.split()) == form, (kind, form)
                    if kind not in ("cause", "sdk"):
                        assert seen.setdefault(form, entry) is entry, (kind, form)


def faulty(monkeypatch: pytest.MonkeyPatch, name: str, value: object) -> None:
    """Replace a part of the lexicon."""
    monkeypatch.setattr(words.Words, name, value)


def test_seeded_fault_without_negation_is_noticed(monkeypatch):
    faulty(monkeypatch, "denied", lambda *_: False)
    with pytest.raises(AssertionError):
        assert symptoms("no duplicates, one queue is stuck") == ("stuck",)


def test_seeded_fault_of_matching_shorter_words_is_noticed(monkeypatch):
    """Without hiding, "lost connection" is read as lost messages."""
    faulty(monkeypatch, "matches", lambda self, kind: [one for one in self._matches(kind) if not one.meaning.hides])
    with pytest.raises(AssertionError):
        assert not symptoms("lost connection to the broker")


def test_seeded_fault_of_reading_names_is_noticed(monkeypatch):
    monkeypatch.setattr(words, "_word", lambda *_, **__: True)
    with pytest.raises(AssertionError):
        assert not symptoms("topic 'lost'")
