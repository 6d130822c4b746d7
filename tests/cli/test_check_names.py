"""``rebalance check`` with given names: which groups decide, and which are noted."""

import json
import shlex
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.report.own.page import schema

PARTS = """
def even(me, queues, ids):
    return queues[ids.index(me) :: len(ids)]


def three_parts(me, queues, ids):
    address, zone, instance = me.split("@")
    return even(me, queues, ids)


def gray_alone(me, queues, ids):
    address, zone, instance = me.split("@")
    gray = [one for one in ids if "gray" in one]
    if me in gray:
        return even(me, queues[:2], gray)
    return even(me, queues[2:] if gray else queues, [one for one in ids if one not in gray])


def few_queue_ids(me, queues, ids):
    return even(me, [one for one in queues if one.queue_id < 32], ids)


def loses_the_rest(me, queues, ids):
    size = len(queues) // len(ids)
    return queues[ids.index(me) * size :][:size]


def tagged_are_idle(me, queues, ids):
    plain = [one for one in ids if "gray" not in one]
    return even(me, queues, plain) if me in plain else []


def ends_the_process(me, queues, ids):
    if "@" not in me:
        os._exit(3)
    return even(me, queues, ids)


def needs_two_brokers(me, queues, ids):
    if len({one.broker_name for one in queues}) < 2:
        raise LookupError("one broker")
    return even(me, queues, ids)[:2]


def needs_three_queues(me, queues, ids):
    return even(me, [queues[0], queues[2]], ids)


def not_on_retry(me, queues, ids):
    return even(me, [one for one in queues if not one.topic.startswith("%RETRY%")], ids)


def gray_in_mixed_groups(me, queues, ids):
    gray = [one for one in ids if "gray" in one]
    if len(gray) in (0, len(ids)):
        return even(me, queues, ids)
    return queues if me == gray[0] else []


SEEN = []


def keeps_the_first_topic(me, queues, ids):
    SEEN.append(queues)
    return even(me, SEEN[0], ids)


def by_group(group, me, queues, ids):
    return even(me, queues[int(group.removeprefix("orders-")) :], ids)


def first_fails(me, queues, ids):
    return even(me, queues, ids[ids.index(me) == 0 :])


def nothing(me, queues, ids):
    if "@" not in me:
        return None
    return even(me, queues, ids)
"""
FEW = ("--consumers", "3", "--seconds", "3")


@pytest.fixture
def checked(call, tmp_path, monkeypatch):
    """Function that checks one of the strategies with these ids and brokers."""
    monkeypatch.chdir(tmp_path)
    Path("parts.py").write_text(PARTS, encoding="utf-8")

    def run(name, *options, ids="", brokers="broker-a 4\n"):
        files = [("--ids", "ids.txt", ids), ("--brokers", "brokers.txt", brokers)]
        for _, path, content in files:
            Path(path).write_text(content, encoding="utf-8")
        given = [word for option, path, content in files if content for word in (option, path)]
        return call("check", f"parts.py:{name}", *given, *FEW, *options)

    return run


def rows(called):
    document = json.loads(called.out)
    Draft202012Validator(schema()).validate(document)
    return {row["name"]: row for row in document["rows"]}


THREE = "10.0.0.1@a@1\n10.0.0.2@b@2\n"


@pytest.mark.parametrize("name", ["three_parts", "few_queue_ids", "nothing", "ends_the_process"])
def test_failure_with_other_names_only_is_a_note(checked, name, tmp_path):
    reports = ("--junit-report", "junit.xml", "--sarif", "log.sarif", "--report", "page.html", "--write-test", "t.py")
    called = checked(name, *reports, ids=THREE)
    first, *_ = called.out.splitlines()
    broken = "covers" if name == "few_queue_ids" else "returns"
    assert called.status == 0, called.out
    assert first.startswith("OK with your names: returns, inside, disjoint and covers hold in all tried groups")
    assert f"With other names, {broken} " in first.replace("returns and covers", "returns ")
    assert "\nWith other names than yours, " in called.out
    assert "This does not count for the verdict. Reproduce: rebalance check " in called.out
    assert "BROKEN" not in called.out
    assert "a call fails" not in called.out, "only with other names"
    assert "not judged" not in called.out
    assert "<failure" not in Path("junit.xml").read_text(encoding="utf-8")
    (run,) = json.loads(Path("log.sarif").read_text(encoding="utf-8"))["runs"]
    assert {one["level"] for one in run["results"]} == {"note"}
    assert "OK with your names" in Path("page.html").read_text(encoding="utf-8")
    assert not Path("t.py").exists()
    command = called.out.partition("Reproduce: rebalance ")[2].splitlines()[0]
    assert "--group agreed/" in command


def test_failure_with_other_names_is_not_listed_beside_the_users_own(checked, call):
    called = checked("gray_alone", ids="10.0.0.1@gray@1\n10.0.0.2@base@2\n")
    assert (called.status, called.out.splitlines()[0]) == (1, "BROKEN: covers")
    assert "\nWith other names than yours, returns does not hold: " in called.out
    found = rows(checked("gray_alone", "--json", ids="10.0.0.1@gray@1\n10.0.0.2@base@2\n"))
    assert found["returns"]["holds"] == "holds"
    assert found["covers"]["with_other_names"] is None
    assert found["covers"]["smallest"]["group"].startswith("agreed/yours/1x4/")
    again = call(*found["returns"]["with_other_names"]["reproduce"].split()[1:])
    assert (again.status, again.out.splitlines()[0]) == (1, "BROKEN: returns")


def test_failure_with_all_queues_comes_before_one_with_a_part_of_them(checked):
    called = checked("needs_two_brokers", ids=THREE, brokers="broker-a 4\nbroker-b 4\n")
    assert (called.status, called.out.splitlines()[0]) == (1, "BROKEN: covers, returns")


def test_failure_with_the_users_names_comes_before_one_with_others(checked):
    called = checked("needs_three_queues", ids=THREE)
    assert (called.status, called.out.splitlines()[0]) == (1, "BROKEN: covers, returns")


def test_size_that_breaks_any_names_counts_with_given_names_too(checked):
    called = checked("loses_the_rest", ids="10.0.0.1@a@1\n10.0.0.2@b@2\n")
    assert (called.status, called.out.splitlines()[0]) == (1, "BROKEN: covers")


def test_retry_topic_of_the_given_brokers_is_tried(checked):
    """A consumer subscribes to the retry topic itself, which has one queue on each broker."""
    called = checked("not_on_retry", ids=THREE, brokers="broker-a 4\nbroker-b 4\n")
    assert (called.status, called.out.splitlines()[0]) == (1, "BROKEN: covers")
    assert "  1 consumer, 2 queues. Queue 0, queue 1 have no consumer." in called.out
    assert "ids and queues; queues of %RETRY%GID_orders: 0 = broker-a 0, 1 = broker-b 0\n" in called.out


def test_names_that_decide_in_groups_of_several_ids_make_a_difference(checked):
    called = checked("gray_in_mixed_groups", ids="10.0.0.1@gray@1\n10.0.0.2@base@2\n10.0.0.3@base@3\n")
    assert called.status == 0
    assert "same positions" not in called.out


def test_history_counts_queues_of_an_earlier_list(checked):
    called = checked("keeps_the_first_topic", ids="10.0.0.1@1\n", brokers="broker-a 4\nbroker-b 2\n")
    assert called.out.startswith("BROKEN: ")
    assert "  2. 1 consumer, 4 queues: 10.0.0.1@1 gets [0, 1, 2, 3] and 2 queues outside mqAll\n" in called.out


def test_group_name_is_passed_to_the_strategy(checked, call):
    called = checked("by_group", ids=THREE)
    assert called.status == 1
    fails = "In each tried group, a call fails."
    assert (
        f"\n{fails} A strategy that reads the consumer group's name needs yours: --consumer-group NAME.\n" in called.out
    )
    called = checked("by_group", "--consumer-group", "orders-1", "--write-test", "test_it.py", ids=THREE)
    assert (called.status, called.out.splitlines()[0]) == (1, "BROKEN: covers")
    assert fails not in called.out
    assert 'take("orders-1", ' in Path("test_it.py").read_text(encoding="utf-8")
    assert call(*shlex.split(called.out.partition("reproduce: rebalance ")[2].splitlines()[0])).status == 1
    same = checked("by_group", "--consumer-group", "orders-0", "--same-as", "parts.py:by_group", ids=THREE)
    assert same.status == 0, "both strategies get the name"
    assert f"\n{fails}\n" in checked("by_group", "--consumer-group", "orders-x", ids=THREE).out, "the name is given"


def test_calls_of_other_members_are_not_called_failing(checked):
    out = checked("first_fails", brokers="").out
    assert "Every call fails" not in out
    assert "\nIn each tried group, a call fails. A strategy that reads the consumer group's name needs yours:" in out
    assert "NAME. A strategy that reads client ids or broker names needs --ids FILE and --brokers FILE.\n" in out


def test_ids_of_the_code_are_tried_on_given_queues(checked):
    called = checked("tagged_are_idle")
    assert (called.status, called.out.splitlines()[0]) == (1, "BROKEN: covers")
    covers = rows(checked("tagged_are_idle", "--json"))["covers"]
    assert covers["smallest"]["group"].startswith("agreed/yours/")


def test_other_guarantees_are_judged_if_a_call_returns_none(checked):
    found = rows(checked("nothing", "--json", brokers=""))
    assert found["returns"]["holds"] == "broken"
    assert "returns None" in found["returns"]["smallest"]["sentence"]
    assert found["covers"]["holds"] == "broken"
