"""Log lines are found by a part of their text, and by a logged line with its values."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from rebalance_proofs.recorded.logs.lines import ALL, HOLE, found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.search import LINES, pointed_to
from rebalance_proofs.report.symptoms.words import line as told

LOGGED = [row.split("\t") for row in Path(__file__).with_name("logged.tsv").read_text("utf-8").splitlines()]
"""Release, whose log, the line's name, and what stood there."""
each_line = pytest.mark.parametrize("name", LINES)


@each_line
def test_line_is_found_by_its_text_and_as_it_is_logged(name):
    for wording in LINES[name].wordings:
        assert found(wording.text, LINES[name])
        logged = wording.text.replace(HOLE, "some value of 1")
        assert found(f"2024-05-01 10:00:00,123 WARN Rebalance - {logged}", LINES[name])
        assert found(logged.upper(), LINES[name])


@each_line
def test_wording_names_searched_releases(name):
    wordings = LINES[name].wordings
    assert all(set(one.releases) <= set(ALL) and one.releases for one in wordings)
    assert all(re.fullmatch(r"[A-Z]\w+", one.where) for one in wordings)
    assert len({one.text for one in wordings}) == len(wordings)


@pytest.mark.parametrize(("release", "logs", "name", "logged"), LOGGED)
def test_recorded_log_line_matches_one_line(release, logs, name, logged):
    """Excerpts of the logs of clients and brokers of 4.9.8 and 5.3.3."""
    ((line, _),) = pointed_to(logged, Asked(), None)
    assert line is LINES[name]
    assert line.logs.value == logs
    (wording,) = _longest(logged, line)
    assert release in wording.releases
    # Which logger it is says which file it is in; a client's of 5.x is its class.
    assert (line.file == "lock.log") is ("RocketmqRebalanceLock" in logged)
    assert (line.file == "broker.log") is ("RocketmqBroker" in logged)
    if (release, logs) == ("5.3.3", "client"):
        assert f" {wording.where} - " in logged


def _longest(logged, line):
    """The wordings of which most is in it."""
    there = {one: len(one.text) for one in line.wordings if found(logged, replace(line, wordings=(one,)))}
    return [one for one, long in there.items() if long == max(there.values())]


def test_removal_of_an_idle_entry_is_not_a_lost_queue():
    """Up to 4.9.8 this line contains the words of the other one."""
    removal = "doRebalance, G, remove unnecessary mq, MessageQueue [topic=T, brokerName=b, queueId=0]"
    because = ", because pull is pause, so try to fixed it"
    for logged, name in ((removal, "removed"), (f"[BUG]{removal}{because}", "not-pulled")):
        assert [line for line, _ in pointed_to(logged, Asked("4.9.8"), None)] == [LINES[name]]
    both = f"[BUG]{removal}{because}\n{removal}"
    assert [line for line, _ in pointed_to(both, Asked("4.9.8"), None)] == [LINES["removed"], LINES["not-pulled"]]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("subscription not exist", {"not-subscribed"}),
        ("subscription changed", {"topics-changed", "tags-changed"}),
        ("less than store", {"went-back"}),
        (
            "2024-05-01 WARN the consumer's subscription not exist, group: G, topic:T",
            {"not-subscribed"},
        ),
        ("doRebalance, G, add a new mq failed, MessageQueue [topic=T], because lock failed", {"lock-denied"}),
        ("the consumer's group info not exist", {"no-group"}),
        ("", set()),
        ("mq", set()),
        ("no such line anywhere", set()),
    ],
)
def test_text_finds_the_expected_lines(text, names):
    assert {name for name, line in LINES.items() if found(text, line)} == names


@each_line
def test_line_is_found_by_its_words_alone(name):
    """Typed from memory, without values and punctuation."""
    for wording in LINES[name].wordings:
        words = re.findall(r"\w+", wording.text.replace(HOLE, " "))
        if len(words) < 4:
            continue
        for typed in (words, words[:4]):
            assert LINES[name] in [line for line, _ in pointed_to(" ".join(typed), Asked(), None)]
        for typed in (words[::-1], [*words[:2], "unheard", *words[2:]]):
            assert LINES[name] not in [line for line, _ in pointed_to(" ".join(typed), Asked(), None)]


@pytest.mark.parametrize(
    ("remark", "names"),
    [
        ("the consumer's subscription not latest", ["not-latest"]),
        ("the consumer's subscription not exist", ["not-subscribed"]),
        ("the consumer's group info not exist", ["no-group"]),
        ("the consumer's luck not latest", []),
    ],
)
def test_brokers_answer_is_found_in_a_clients_exception(remark, names):
    logged = f"MQBrokerException: CODE: 25  DESC: {remark}\nFor more information, please visit the url"
    assert [line for line, _ in pointed_to(logged, Asked(), None)] == [LINES[name] for name in names]


def test_line_has_only_causes_that_the_client_can_have():
    ((line, causes),) = pointed_to("message queue lock expired, I got it", Asked("5.3.3", "push orderly"), None)
    assert line is LINES["lock-ran-out"]
    assert "slow-listener" in {one.cause.name for one in causes}
    ((_, causes),) = pointed_to("message queue lock expired, I got it", Asked("5.3.3", "push"), None)
    assert not causes


def test_line_is_printed_in_the_wording_of_the_client():
    line = LINES["share-changed"]
    assert '"rebalanced result' in told(line, Asked("4.9.2"))
    assert '"client rebalanced result' not in told(line, Asked("4.9.2"))
    assert '"client rebalanced result' in told(line, Asked("5.2.0"))
    assert " or " in told(line, Asked())
    # A broker's release is not the client's.
    assert " or " in told(LINES["lock-ran-out"], Asked("4.9.8"))
