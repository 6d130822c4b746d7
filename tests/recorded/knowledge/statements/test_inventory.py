"""The inventory of log statements: names that exist, no statement twice, and all wordings of the known lines."""

import json
from dataclasses import replace

import pytest

from rebalance_proofs.recorded.knowledge import sources
from rebalance_proofs.recorded.knowledge.schema import loaded
from rebalance_proofs.recorded.knowledge.statements.inventory import (
    INVENTORIES,
    READ,
    from_toml,
    inventories,
    others,
    ranges,
    reasons,
)
from rebalance_proofs.recorded.knowledge.statements.irrelevant import STATEMENTS, irrelevant
from rebalance_proofs.recorded.logs.lines import ALL, NAMED

EVERY = inventories()
each_inventory = pytest.mark.parametrize("name", INVENTORIES)
DEBUG = ("do defaultConsumer, add a new mq",)
"""Wordings of statements at debug level, which the inventory does not list."""
STARTS = ("broker-shuts-down", "broker-started")
"""Lines of the class that starts a broker."""
REMOTING = ("close-event-dropped",)
"""Lines of the network layer of brokers and clients."""
OLDER = (
    " Group: {} ClientId: {} updateConsumeOffsetToBroker {} {}",
    "the request offset: {} too small, broker min offset: {}, consumer: {}",
    "the message queue locked OK, but it is released, mq:{}",
    "[CONSUME_OK_TPS] [{}] Stats In One Minute, SUM: {} TPS: {} AVGPT: {}",
    "no response got for opaque:{}",
    "send msg, callback timeout, opaque:{}, sendTimes:{}, maxRetryTimes:{}",
    "pullMessageAsync set opaque:{}, mq:{}",
    "The consumer group[{}] has been created before, specify another name please",
    *(
        one.text
        for name in (*REMOTING, "commit-log-offset-outside", "not-assigned", "broker-removed", "instance-shut", *STARTS)
        for one in NAMED[name].wordings
    ),
)
"""Wordings of older releases, of other states of a branch, and of classes that the inventory does not list."""


@each_inventory
def test_statement_has_a_known_line_or_a_known_reason(name):
    unknown = [
        one
        for one in EVERY[name].statements
        if bool(one.line) == bool(one.irrelevant)
        or (one.line and one.line not in NAMED)
        or (one.irrelevant and one.irrelevant not in reasons())
    ]
    assert not unknown


@each_inventory
def test_statement_is_listed_once(name):
    keys = [one.key for one in EVERY[name].statements]
    assert [key for key in set(keys) if keys.count(key) > 1] == []


@each_inventory
def test_statement_has_a_known_level_and_releases(name):
    assert {one.level for one in EVERY[name].statements} <= {"info", "warn", "error", "fatal"}
    assert all(one.releases for one in EVERY[name].statements)


def test_every_reason_is_used():
    used = {one.irrelevant for own in EVERY.values() for one in own.statements}
    assert {*reasons()} == used - {""}


def test_reason_has_both_languages():
    assert all(one["en"] and one["zh"] for one in reasons().values())


def _plain(text):
    return " ".join(text.split())


def _unlisted(every):
    """Yield line, wording and release of each wording that no statement of that line has in that release."""
    answers = {one["name"] for one in loaded("lines").get("refusals", {}).get("line", ())}
    for name, line in NAMED.items():
        if name in answers or line.of_sdks:  # texts of exceptions, and of packages, with which they are compared
            continue
        own = [(inventory, one) for inventory in every.values() for one in inventory.statements if one.line == name]
        for wording in line.wordings:
            # A wording can have an expanded value, such as the fields of a PullRequest.
            begin = _plain(wording.text).split("PullRequest [")[0].strip()
            having = [one for _, one in own if begin in _plain(one.text) or _plain(one.text) in begin]
            if wording.text in (*DEBUG, *OLDER):
                continue
            written = {release for one in having for release in one.releases}
            for release in wording.releases or ("any",):
                if not (release in written if wording.releases else having):
                    yield name, wording.text, release


def test_wordings_of_known_lines_are_in_the_inventory():
    assert [*_unlisted(EVERY)] == [
        # The parser of this line expands the PullRequest of the line `illegal`, to which the statement belongs.
        ("offset-illegal", NAMED["offset-illegal"].wordings[0].text, release)
        for release in ALL
    ]


def test_dropped_statement_of_a_known_line_is_found():
    dropped = "doRebalance, {}, add a new mq failed, {}, because lock failed"
    java = EVERY["java-client"]
    left = tuple(one for one in java.statements if one.text != dropped)
    found = [*_unlisted({**EVERY, "java-client": replace(java, statements=left)})]
    assert {(line, text) for line, text, _ in found} - {
        ("offset-illegal", NAMED["offset-illegal"].wordings[0].text)
    } == {("lock-denied", dropped)}


def test_statement_of_one_release_does_not_stand_for_another():
    java = EVERY["java-client"]
    one = next(one for one in java.statements if one.text.startswith("client rebalanced result changed"))
    older = tuple(replace(each, releases=("5.0.0",)) if each is one else each for each in java.statements)
    assert ("share-changed", one.text, "5.3.3") in [
        *_unlisted({**EVERY, "java-client": replace(java, statements=older)})
    ]


def test_newest_releases_have_the_wordings_of_the_last_one_that_lines_name():
    for name in ("java-client", "java-broker"):
        last = {(one.line, one.text) for one in EVERY[name].of(ALL[-1]) if one.line}
        for release in EVERY[name].releases[EVERY[name].releases.index(ALL[-1]) :]:
            assert last <= {(one.line, one.text) for one in EVERY[name].of(release)}


def test_line_without_wordings_has_a_statement():
    assert all(line.wordings for line in NAMED.values())


@pytest.mark.parametrize(
    ("releases", "told"),
    [
        (["1", "2", "3", "4"], ""),
        (["1"], "1"),
        (["1", "2"], "1..2"),
        (["3", "4"], "3.."),
        (["1", "3", "4"], "1, 3.."),
        (["4"], "4"),
    ],
)
def test_ranges_are_read_as_they_are_written(releases, told):
    every = ["1", "2", "3", "4"]
    assert ranges(releases, every) == told
    statement = {"text": "a", "level": "info", **({"in": told} if told else {})}
    head = {"name": "n", "language": "java", "files": [], "releases": every}
    assert [*from_toml({**head, "A": {"statements": [statement]}}).statements[0].releases] == releases


def test_unknown_release_in_a_range_is_an_error():
    head = {"name": "n", "language": "java", "files": [], "releases": ["1"]}
    with pytest.raises(ValueError, match="not in tuple"):
        from_toml({**head, "A": {"statements": [{"text": "a", "level": "info", "in": "1..2"}]}})


def test_statements_json_is_compiled_from_the_inventory():
    assert json.loads(STATEMENTS.read_text("utf-8")) == others()


def test_compiled_wordings_name_only_searched_releases():
    assert READ == ALL


def test_lines_without_wordings_get_those_of_their_statements():
    lines = {one["name"]: one for file in sources.compiled()["lines"].values() for one in file["line"]}
    texts = {one["text"]: one for one in lines["heartbeat-failed"]["wording"]}
    assert "send heart beat to broker failed" in texts
    assert texts["send heart beat to broker failed"]["releases"] == []
    assert "releases" not in texts["ScheduledTask sendHeartbeatToAllBroker exception"]


@pytest.mark.parametrize(
    ("text", "client", "where"),
    [
        (
            "2024-05-01 10:00:00,123 INFO RocketmqClient - the client factory [1@2] start OK",
            "Java client",
            "MQClientInstance",
        ),
        ("The PullThresholdForTopic is changed", "Go client", "push_consumer"),
        ("AdminBrokerProcessor#deleteTopic: broker receive request to delete topic=T, caller=1:2", "broker", None),
    ],
)
def test_irrelevant_statement_is_recognized(text, client, where):
    found = irrelevant(text)
    assert found.client == client
    assert where in (None, found.where)


@pytest.mark.parametrize("text", ["", "start", "the client", "no such line anywhere", "putMessage"])
def test_other_text_is_no_irrelevant_statement(text):
    assert irrelevant(text) is None
