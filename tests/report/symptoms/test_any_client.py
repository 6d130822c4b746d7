"""Causes of any client, causes of frequent rebalances and start offsets, and the words for them."""

import tomllib
from dataclasses import replace

import pytest

from rebalance_proofs.recorded.knowledge.schema import loaded
from rebalance_proofs.recorded.knowledge.sources import FOLDER
from rebalance_proofs.report.symptoms.answer import Known, found
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked
from rebalance_proofs.report.symptoms.cause import Cause, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.search import pointed_to
from tests.each import each

BY_NAME = {cause.name: cause for cause in CAUSES}
WORDS = tomllib.loads((FOLDER / "words" / "more-causes.toml").read_text(encoding="utf-8"))["meaning"]


def known(cause: Cause, release: str) -> Known:
    symptom = cause.effects[0].symptom
    (one,) = found(symptom, Asked(release), among=[cause])
    return one.known


@each("cause", [one for one in CAUSES if one.any_client], ids=lambda cause: cause.name)
def test_cause_of_any_client_is_possible_for_each_client(cause):
    assert {known(cause, release) for release in RELEASES} == {Known.READ}
    assert known(replace(cause, any_client=False), "rust") is Known.NOT_READ


def test_cause_of_one_client_is_not_possible_for_another():
    assert known(BY_NAME["go-new-queues"], "go") is Known.READ
    assert known(BY_NAME["go-new-queues"], "5.3.3") is Known.NOT_READ
    assert known(BY_NAME["cpp-pulls-twice"], "cpp") is Known.READ
    assert known(BY_NAME["unbalanced-every-second"], "5.2.0") is Known.READ
    assert known(BY_NAME["unbalanced-every-second"], "4.9.8") is Known.NOT_READ


def test_client_with_a_remark_has_no_causes_of_another_language():
    cause = BY_NAME["go-shared-client-closed"]
    wrapped = Asked("cpp", remark="rocketmq-client-python wraps the C++ client.")
    assert [one.known for one in found(cause.effects[0].symptom, wrapped, among=[cause])] == [Known.NOT_READ]


@each("cause", CAUSES, ids=lambda cause: cause.name)
def test_cause_can_be_confirmed(cause):
    assert cause.looks or cause.lines or cause.signs


@pytest.mark.parametrize(
    ("symptom", "names"),
    [
        (
            Symptom.OFTEN,
            {"timer-rebalance", "storm", "subscriptions-overwritten", "connections-flap", "heartbeats-late"},
        ),
        (Symptom.START, {"starts-at-zero", "committed-offset-wins", "nothing-committed", "broker-without-offsets"}),
        (Symptom.TILTED, {"hot-queue", "slow-member"}),
    ],
)
def test_symptom_has_its_causes(symptom, names):
    assert names <= {one.cause.name for one in found(symptom, Asked())}


@pytest.mark.parametrize(
    ("logged", "first"),
    [
        ("CODE: 26  DESC: subscription group [G] does not exist, See https://rocketmq.apache.org", "group-not-created"),
        ("DESC: the topic[T] pulling message is forbidden", "read-forbidden"),
        ("DESC: subscription group no permission, G", "read-forbidden"),
        ("AclException: No default permission for pub|T", "acl-denied"),
        ("DESC: The broker does not support consumer to filter message by SQL92", "sql92-off"),
        ("Not found, V3_0_6_SNAPSHOT maybe this group consumer boot first", "go-not-found-as-failure"),
        ("No route info of this topic: T", "topic-missing"),
        ("RemotingConnectException: connect to 172.17.0.2:10911 failed", "broker-address"),
        (
            "send expire msg back. topic=T, msgId=0A, storeHost=/10.0.0.1:10911, queueId=1",
            "consume-timeout",
        ),
        (
            "consumerOffset is -1 in messageQueue [MessageQueue [queueId=0]].",
            "lite-pull-no-offset",
        ),
        ("BROADCASTING, the message consume failed, drop it, MessageExt [queueId=0]", "broadcasting-drops-failed"),
        (
            "consumeMessage exception: java.lang.NullPointerException Group: G Msgs: [] MQ: M",
            "reconsume-later",
        ),
    ],
)
def test_logged_refusal_names_its_cause(logged, first):
    told = [one.cause.name for _, causes in pointed_to(logged, Asked(), None) for one in causes]
    assert first in told


def test_words_of_causes_are_in_one_file_after_the_compilation():
    every = loaded("words")
    assert "more-causes" not in every
    assert all(one in every["cause"]["meaning"] for one in WORDS)


def test_words_are_those_of_causes():
    assert {name for one in WORDS for name in one["causes"]} <= BY_NAME.keys()
    symptoms = {symptom.value for symptom in Symptom}
    for one in WORDS:
        assert set(one.get("symptoms", ())) <= symptoms
        assert bool(one.get("sure")) is ("symptoms" not in one)
        assert all(phrase == phrase.casefold() for phrase in one["english"])


@pytest.mark.parametrize("language", ["english", "chinese"])
def test_each_phrase_means_one_cause(language):
    every = [phrase.casefold() for one in WORDS for phrase in one[language]]
    assert [phrase for phrase in dict.fromkeys(every) if every.count(phrase) > 1] == []
