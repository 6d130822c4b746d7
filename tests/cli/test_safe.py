"""``rebalance safe``, for operators who know nothing of proofs."""

import json
import re

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.model.ordered.clients import CLIENTS
from rebalance_proofs.report.mark import BRIEFLY
from rebalance_proofs.report.ordered.safe import schema


def test_5_2_as_shipped_is_not_exclusive_and_one_setting_repairs_it(call):
    called = call("safe", "--client", "5.2", "--listener", "5s")
    assert called.status == 1
    lines = called.out.splitlines()
    assert lines[0] == "NOT EXCLUSIVE"
    assert any("(both listeners run)." in line for line in lines)
    repairs = [line for line in lines if "-Drocketmq.client.unlockDelayTimeMills=35000 of every consumer" in line]
    assert len(repairs) == 1
    repaired = call("safe", "--client", "5.2", "--listener", "5s", "--unlock-delay", "35s", "--shutdown-wait", "66s")
    assert (repaired.status, repaired.out.splitlines()[0]) == (0, "EXCLUSIVE")
    nearly = call("safe", "--client", "5.2", "--listener", "5s", "--unlock-delay", "34999ms")
    assert nearly.status == 1


@pytest.mark.parametrize("listener", ["5s", "40s"])
def test_sums_add_up_and_are_held_against_their_limit(call, listener):
    """``an answer 1 s + the client's limit 30 s + a listener 5 s = 36 s is at most the broker's limit 60 s``."""
    told = call("safe", "--client", "5.2", "--listener", listener).out
    sums = re.findall(r"^  (.* = .*) (is at most|is more than) .* (\S+) s$", told, re.MULTILINE)
    assert len(sums) == 2
    for whole, held, limit in sums:
        summands, total = whole.split(" = ")
        added = sum(float(each) for each in re.findall(r"(\S+) s\b", summands))
        assert added == float(total.removesuffix(" s"))
        assert (added <= float(limit)) is (held == "is at most")


def test_every_repair_that_is_told_repairs_it(call):
    document = json.loads(call("safe", "--client", "5.3.3", "--listener", "40s", "--json").out)
    options = {
        "unlock": "--unlock-delay",
        "broker": "--broker-lock",
        "client": "--lock-max-live",
        "listener": "--listener",
    }
    repairs = document["clients"][0]["repairs"]
    assert repairs
    assert all(len(repair) > 1 for repair in repairs)
    for repair in repairs:
        limits = {"listener": 40_000} | {change["setting"]: change["after"] for change in repair}
        told = [part for name, value in limits.items() for part in (options[name], f"{value}ms")]
        assert call("safe", "--client", "5.3.3", *told).status == 0
        for change in repair:
            less = limits | {change["setting"]: change["after"] + (-1 if change["after"] > change["before"] else 1)}
            told = [part for name, value in less.items() for part in (options[name], f"{value}ms")]
            assert call("safe", "--client", "5.3.3", *told).status == 1


def test_an_ordinary_restart_stands_in_the_first_line(call):
    first = call("safe", "--client", "5.1.4").out.splitlines()[0]
    assert first.startswith("EXCLUSIVE EXCEPT WHEN the queue comes back")
    assert "a shutdown with messages does not wait" in first
    waits = call("safe", "--client", "5.1.4", "--shutdown-wait", "65001ms").out.splitlines()[0]
    assert waits.startswith("EXCLUSIVE EXCEPT WHEN the queue comes back")
    assert "shut down" not in waits
    too_short = call("safe", "--client", "5.1.4", "--shutdown-wait", "65s").out.splitlines()[0]
    assert "a shutdown with messages does not wait" in too_short


@pytest.mark.parametrize(
    ("client", "more", "least"),
    [("4.9.8", (), 18_551), ("5.3.3", (), 65_001), ("5.0", ("--continuously", "1s"), 6_001), ("go", (), None)],
)
def test_it_says_for_how_long_a_shutdown_has_to_wait(call, client, more, least):
    asked = ("safe", "--client", client, "--listener", "5s", "--unlock-delay", "35s", *more)
    assert json.loads(call(*asked, "--json").out)["clients"][0]["shortest_wait"] == least
    if least is None:
        assert "It has no such setting" in call(*asked).out
        return
    for wait, held in ((least, "is enough"), (least - 1, "is not enough"), (5_001, "is not enough")):
        told = call(*asked, "--shutdown-wait", f"{wait}ms")
        assert f"it has to be {least} or more, in ms; {wait} {held}." in told.out
        assert ("a shutdown with messages does not wait" in told.out.splitlines()[0]) is (held == "is not enough")


def test_the_run_that_it_prints_waits_for_the_first_pull(call):
    out = call("safe", "--client", "5.2", "--listener", "300ms").out
    told = [line.split(". ", 1)[1] for line in out.splitlines() if re.match(r" +\d+\. ", line)]
    at = {words.split(": ", 1)[1]: float(words.split(" s: ")[0]) for words in told}
    for who in "XY":
        added = at[f"{who} receives the grant and adds the queue."]
        assert at[f"{who} pulls messages."] >= added + 0.5
    assert told[-3].endswith("The broker renews the lock of X (lock: X).")


def test_a_listener_shorter_than_a_first_pull_meets_nobody_where_renewals_are_in_time(call):
    assert "no consumer of the group is older than 5.0" in call("safe", "--client", "5.2", "--listener", "300ms").out
    assert "it is not exclusive either" in call("safe", "--client", "5.2", "--listener", "500ms").out


def test_go_cannot_be_told_to_wait(call):
    first = call("safe", "--client", "go", "--shutdown-wait", "5s").out.splitlines()[0]
    assert first == "EXCLUSIVE EXCEPT WHEN a shutdown with messages does not wait (the default)"


def test_a_mixed_group_is_as_safe_as_its_least_safe_client(call):
    called = call("safe", "--client", "5.1", "--client", "5.2")
    assert called.status == 1
    assert called.out.splitlines()[0] == "NOT EXCLUSIVE"


def test_the_table_has_every_client(call):
    called = call("safe", "--table")
    assert called.status == 0
    *rows, briefly = called.out.splitlines()[1:]
    assert briefly == BRIEFLY
    told = [re.split(r" {2,}", row) for row in rows]
    recorded = {"Java 4.9.5 to 4.9.8": "observed", "Java 5.2 and later": "observed"}
    assert {name: mark for name, mark, _ in told} == {
        client.rocketmq_name: recorded.get(client.rocketmq_name, "not recorded") for client in CLIENTS
    }
    longest = {name: longest for name, _, longest in told}
    assert longest == {client.rocketmq_name: "none" if client.forces else "29 s" for client in CLIENTS}


@pytest.mark.parametrize("arguments", ["--client go", "--client 5.2", "--client 4.9 --client 5.3.3 --listener 3m"])
def test_json_is_as_its_schema_says(call, arguments):
    Draft202012Validator.check_schema(schema())
    Draft202012Validator(schema()).validate(json.loads(call("safe", *arguments.split(), "--json").out))


def test_it_says_what_renewals_in_time_would_help(call):
    not_either = call("safe", "--client", "5.2").out
    assert (
        "Where a renewal is granted every 20 s, and noted within the delay, it is not exclusive either." in not_either
    )
    longer = call("safe", "--client", "4.9", "--listener", "35s").out
    assert (
        "Where a renewal is granted every 20 s, and noted within the delay, it is exclusive, if the premises" in longer
    )
    assert "a renewal is granted" not in call("safe", "--client", "4.9").out


def test_json_has_a_version_and_the_premises_with_their_claims(call):
    document = json.loads(call("safe", "--client", "go", "--json").out)
    assert (document["format"], document["verdict"], document["exceptions"]) == (1, "EXCLUSIVE EXCEPT", ["shutdown"])
    (client,) = document["clients"]
    assert {one["otherwise"] for one in client["premises"]} >= {"ordered.go.exclusive.without-restart"}
    assert "return" not in {one["name"] for one in client["premises"]}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--client is missing; give one such as --client 5.2 or --client go, or --table for all clients"),
        (("--client", "5.4"), "version '5.4' is newer than 5.3.3, the newest Java client version that is covered"),
        (("--client", "4.8"), "version '4.8' is not covered; the nearest Java client version is 4.9.0"),
        (("--client", "node"), "Node (ali-ons) has no locks of queues"),
        (("--client", "5.2", "--listener", "5"), "'5' has no unit; write 5s or 5ms"),
        (("--client", "5.2", "--listener", "-5s"), "'-5s' is not a time"),
        (("--client", "5.2", "--listener", "5 parsecs"), "'5 parsecs' is not a time"),
        (("--client", "5.2", "--listener", "90m"), "'90m' is too long"),
        (("--client", "5.2", "--broker-lock", "0s"), "--broker-lock is 0, so no lock would ever be held"),
        (
            ("--client", "go", "--lock-max-live", "20s"),
            "--lock-max-live has no effect on Go 2.1, which uses a constant of 30 s",
        ),
        (("--client", "go", "--renewal", "30s"), "--renewal has no effect on Go 2.1, which uses a constant of 20 s"),
    ],
)
def test_a_wrong_call_is_told_in_a_sentence(call, arguments, said):
    called = call("safe", *arguments)
    assert called.status == 2
    assert said in called.err
    assert len(called.err.splitlines()) == 1
    assert not called.out


def test_what_a_client_accepts_and_nobody_wants_is_noted(call):
    assert "Note: a lock is not renewed" in call("safe", "--client", "4.9", "--renewal", "30s").out
    longer = call("safe", "--client", "4.9", "--lock-max-live", "61s")
    assert "Note: consumers trust in a lock for longer" in longer.out
    assert longer.status == 1
    assert "for longer" not in call("safe", "--client", "4.9", "--lock-max-live", "60s").out


def test_pauses_are_told_of_every_client(call):
    lines = call("safe", "--pauses").out.splitlines()
    assert all(client.rocketmq_name in lines[0] for client in CLIENTS)
    crashed = next(line for line in lines if line.startswith("the old owner crashed"))
    assert crashed.split()[4:] == ["100", "s", "80", "s", "70", "s", "70", "s", "100", "s"]
    assert any("explored, not proved" in line for line in lines)
    assert any("These bounds hold for one event in a calm group" in line for line in lines)


def test_pauses_hold_for_one_event_only(call):
    lines = call("safe", "--pauses").out.splitlines()
    assert "Each bound holds for one event in a calm group; two events in a row can take longer." in lines


@pytest.mark.parametrize("arguments", ["--pauses --listener 6s", "--pauses --client 5.2", "--table --json"])
def test_what_does_not_go_together_is_refused(call, arguments):
    called = call("safe", *arguments.split())
    assert (called.status, called.out, len(called.err.splitlines())) == (2, "", 1)
