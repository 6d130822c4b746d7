"""``rebalance safe``: answer, settings to paste, and ends of a pod."""

import json
import re

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import fixed_dictionaries, integers
from jsonschema import Draft202012Validator

from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.model.machines.ordered.actions import CLIENTS, V5_2
from rebalance_proofs.model.machines.ordered.assumptions import IN_TIME, condition, enough
from rebalance_proofs.model.machines.ordered.state import DEFAULTS, TICKS
from rebalance_proofs.proofs.ordered import pauses
from rebalance_proofs.proofs.ordered.passing import TICK, Way
from rebalance_proofs.proofs.ordered.pauses import longest
from rebalance_proofs.report.claims.mark import BRIEFLY
from rebalance_proofs.report.ordered.safe import schema
from rebalance_proofs.report.ordered.settings import raised
from rebalance_proofs.report.ordered.two_events import ONE_EVENT, composed
from rebalance_proofs.report.settling import kubernetes

limits_given = fixed_dictionaries(
    {},
    optional={
        "client": integers(1, 60_000),
        "broker": integers(1, 120_000),
        "unlock": integers(0, 120_000),
        "wait": integers(0, 120_000),
        "loop": integers(0, 60_000),
    },
)
FIELDS = {
    "client": "--lock-max-live",
    "broker": "--broker-lock",
    "unlock": "--unlock-delay",
    "wait": "--shutdown-wait",
    "loop": "--continuously",
}


def chosen(client, limits):
    """Option -> value for these limits; those that are constants of the client are left out."""
    return {FIELDS[name]: f"{value}ms" for name, value in limits.items() if client != "go" or name != "client"}


NOT = "Not exclusive: two consumers can run their listeners on one ordered queue at the same time."
YES = "Exclusive: no two consumers run their listeners on one ordered queue at the same time."
OPTIONS = {
    "awaitTerminationMillisWhenShutdown": "--shutdown-wait",
    "rocketmq.client.rebalance.lockMaxLiveTime": "--lock-max-live",
    "rocketmq.client.rebalance.lockInterval": "--renewal",
    "rocketmq.client.unlockDelayTimeMills": "--unlock-delay",
    "rocketmq.client.maxTimeConsumeContinuously": "--continuously",
    "rocketmq.broker.rebalance.lockMaxLiveTime": "--broker-lock",
}


def first_line(called):
    return called.out.splitlines()[0]


def pasted(text):
    """Option of ``rebalance safe`` -> its value, for the settings in the printed block."""
    code = re.findall(r"^ +consumer\.set(\w+)\((\d+)\);$", text, re.MULTILINE)
    flags = re.findall(r"^ +-D(\S+)=(\d+)$", text, re.MULTILINE)
    named = [(name[0].lower() + name[1:], value) for name, value in code] + flags
    return {OPTIONS[name]: f"{value}ms" for name, value in named}


def words(options):
    return [word for option in options.items() for word in option]


def test_default_5_2_is_not_exclusive_and_one_setting_repairs_it(call):
    called = call("safe", "--client", "5.2", "--listener", "5s", "--all")
    assert called.status == 1
    assert first_line(called) == NOT
    assert "(both listeners run)." in called.out
    repairs = [line for line in called.out.splitlines() if "unlockDelayTimeMills=35000 on every consumer" in line]
    assert len(repairs) == 1
    repaired = call("safe", "--client", "5.2", "--listener", "5s", "--unlock-delay", "35s", "--shutdown-wait", "66s")
    assert (repaired.status, first_line(repaired)) == (0, YES)
    nearly = call("safe", "--client", "5.2", "--listener", "5s", "--unlock-delay", "34999ms")
    assert nearly.status == 1


@pytest.mark.parametrize("client", ["4.9.0", "4.9.8", "5.1.4", "5.3.3", "go"])
@settings(
    max_examples=4,
    phases=[Phase.explicit, Phase.generate],  # each example takes seconds: too long for shrinking
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(listener=integers(0, 3_000_000), limits=limits_given)
def test_pasted_settings_make_the_condition_of_time_hold(call, client, listener, limits):
    asked = {"--client": client, "--listener": f"{listener}ms", **chosen(client, limits)}
    answered = call("safe", *words(asked))
    after = call("safe", *words(asked | pasted(answered.out)))
    assert after.status == 0
    (outcome,) = re.findall(r"^  With these settings: (.*)$", answered.out, re.MULTILINE)
    exception = first_line(after).removeprefix("Exclusive, except when ")
    if after.out.startswith(YES):
        assert outcome == "exclusive, under the assumptions that `--all` lists."
    else:
        assumed = "exclusive, under the assumptions that `--all` lists"
        assert outcome == f"{assumed}, except when {exception} No setting prevents that."
    assert "Nothing changes" in after.out


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
@settings(max_examples=40)
@given(listener=integers(0, 10**7), values=limits_given)
def test_settings_meet_the_condition_and_are_least(client, listener, values):
    limits = DEFAULTS.but(listener=listener, **values)
    found = raised(client, limits)
    assert all(truth(part.holds(found)) for part in condition(client, IN_TIME))
    assert truth(enough(client.rules, found)) is client.rules.waits_for_listener
    for name, value in vars(found).items():
        less = found.but(**{name: value - 1})
        if value != getattr(limits, name):
            fits = all(truth(part.holds(less)) for part in condition(client, IN_TIME))
            assert not (fits and (truth(enough(client.rules, less)) or not client.rules.waits_for_listener))


def test_mixed_group_gets_one_broker_setting(call):
    called = call("safe", "--client", "go", "--client", "5.2", "--listener", "40s", "--json")
    found = [one["settings"] for one in json.loads(called.out)["clients"]]
    assert [one["broker"] for one in found] == [{"rocketmq.broker.rebalance.lockMaxLiveTime": 71_000}] * 2
    assert [bool(one["code"] or one["jvm"]) for one in found] == [False, True]
    assert "Go 2.1: no setting." in call("safe", "--client", "go").out


@pytest.mark.parametrize(("client", "wait"), [("5.2", 65_001), ("4.9.8", 18_551)])
def test_grace_period_covers_the_longest_shutdown(call, client, wait):
    called = json.loads(call("safe", "--client", client, "--json").out)["clients"][0]
    found = called["kubernetes"]
    assert called["settings"]["code"] == {"awaitTerminationMillisWhenShutdown": wait}
    assert found["shutdown_takes"][0]["time"] == 2 * wait
    assert found["shutdown_takes"][-1]["time"] == found["allowance_per_broker"] == 20_000
    assert found["termination_grace_period_seconds"] * 1_000 >= 2 * wait + found["allowance_per_broker"]
    total = sum(part["time"] for part in found["shutdown_takes"])
    assert 0 <= found["termination_grace_period_seconds"] * 1_000 - total < 1_000
    words = call("safe", "--client", client).out
    assert f"terminationGracePeriodSeconds: {found['termination_grace_period_seconds']} " in words


def test_ends_of_a_pod_are_bounded_by_the_explored_pauses(call):
    cases = json.loads(call("safe", "--client", "5.2", "--json").out)["clients"][0]["kubernetes"]["cases"]
    shut, crashed, lost = (composed("java_v5_2").planned(event) * TICK for event in ("shutdown", "crash", "host-lost"))
    assert shut > longest(V5_2, Way.SHUT).ticks * TICK
    bounds = {case["name"]: case["bound"] for case in cases}
    assert bounds == {"shutdown": shut, "no-shutdown": crashed, "killed": crashed, "node-lost": lost}
    Draft202012Validator(schema()).validate(json.loads(call("safe", "--client", "5.2", "--client", "go", "--json").out))
    other = json.loads(call("safe", "--client", "5.2", "--broker-lock", "90s", "--json").out)
    assert {case["bound"] for case in other["clients"][0]["kubernetes"]["cases"]} == {None}


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
@pytest.mark.parametrize("way", [Way.FREE, Way.SHUT, Way.CRASHED, Way.ALIVE])
@pytest.mark.parametrize("unlock", [0, 1, 3, 4])
def test_pauses_are_not_longer_with_an_unlock_delay_that_has_known_bounds(monkeypatch, client, way, unlock):
    usual = longest(client, way)
    monkeypatch.setattr(pauses, "TICKS", TICKS.but(unlock=unlock))
    longer = longest(client, way).ticks > usual.ticks
    assert longer is (client.puts_off and way is Way.ALIVE and unlock > TICKS.unlock)
    bounds = {case.bound for case in kubernetes.ordered(client, DEFAULTS.but(unlock=unlock * TICK)).cases}
    assert not longer or bounds == {None}


@pytest.mark.parametrize(
    ("client", "delay", "known"), [("5.1.4", "20s", True), ("5.1.4", "21s", False), ("5.2", "41s", False)]
)
def test_bounds_of_a_pod_are_unknown_with_a_longer_unlock_delay(call, client, delay, known):
    found = json.loads(call("safe", "--client", client, "--unlock-delay", delay, "--json").out)
    assert all((case["bound"] is not None) is known for case in found["clients"][0]["kubernetes"]["cases"])


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_no_end_of_a_pod_is_bounded_below_a_live_owner(client):
    alive = longest(client, Way.ALIVE).ticks * TICK
    java = client.rules.waits_for_listener
    for case in kubernetes.ordered(client, DEFAULTS).cases:
        noticed = 130_000 if case.name == "node-lost" else 0
        assert case.bound is None if noticed and not java else case.bound >= alive + noticed


@pytest.mark.parametrize("client", ["4.9.0", "4.9.8", "5.1.4", "5.2", "go"])
def test_bounds_of_a_pod_are_unknown_for_listeners_above_ten_seconds(call, client):
    longer = call("safe", "--client", client, "--listener", "10001ms", "--json").out
    assert {case["bound"] for case in json.loads(longer)["clients"][0]["kubernetes"]["cases"]} == {None}
    explored = call("safe", "--client", client, "--listener", "10s", "--json").out
    assert json.loads(explored)["clients"][0]["kubernetes"]["cases"][0]["bound"]
    text = call("safe", "--client", client, "--listener", "11s").out
    assert "  Unknown: explored only for listeners of at most 10 s." in text


def test_mixed_group_is_caveated_once(call):
    text = call("safe", "--client", "4.9.8", "--client", "5.2").out
    sentence = "Each row assumes that all consumers of the group run this client."
    assert text.count(sentence) == 1
    assert sentence not in call("safe", "--client", "5.2").out


@pytest.mark.parametrize("client", ["4.9.8", "5.2"])
def test_all_lists_assumptions_with_and_without_a_counterexample(call, client):
    text = call("safe", "--client", client, "--all").out
    assert "  Assumptions of the proof" in text
    assert "    - No broker restart, and no other broker that takes over the queue." in text


def test_answer_is_short_without_all(call):
    for more in ((), ("--client", "4.9.8"), ("--client", "go")):
        text = call("safe", "--client", "5.2", *more).out
        evidence = text.split("\n\n")[1].splitlines()
        assert len(evidence) <= 10 + 4 * bool(more)
        assert text.count("They hold even if one other consumer joins, shuts down or crashes at any time") == 1
        assert ONE_EVENT not in text


@pytest.mark.parametrize("listener", ["5s", "40s"])
def test_sums_add_up_and_are_compared_with_their_limit(call, listener):
    """``broker answer 1 s + client lockMaxLiveTime 30 s + listener 5 s = 36 s is at most broker ... 60 s``."""
    printed = call("safe", "--client", "5.2", "--listener", listener).out
    sums = re.findall(r"^  (.* = .*) (is at most|is more than) .* (\S+) s$", printed, re.MULTILINE)
    assert len(sums) == 2
    for whole, held, limit in sums:
        summands, total = whole.split(" = ")
        added = sum(float(each) for each in re.findall(r"(\S+) s\b", summands))
        assert added == float(total.removesuffix(" s"))
        assert (added <= float(limit)) is (held == "is at most")


def test_every_printed_repair_suffices(call):
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


def test_ordinary_restart_is_excepted_in_the_first_line(call):
    first = call("safe", "--client", "5.1.4").out.splitlines()[0]
    assert first.startswith("Exclusive, except when the queue comes back")
    assert "a shutdown with messages does not wait" in first
    waits = call("safe", "--client", "5.1.4", "--shutdown-wait", "65001ms").out.splitlines()[0]
    assert waits.startswith("Exclusive, except when the queue comes back")
    assert "shut down" not in waits
    too_short = call("safe", "--client", "5.1.4", "--shutdown-wait", "65s").out.splitlines()[0]
    assert "a shutdown with messages does not wait" in too_short


@pytest.mark.parametrize(
    ("client", "more", "least"),
    [("4.9.8", (), 18_551), ("5.3.3", (), 65_001), ("5.0", ("--continuously", "1s"), 6_001), ("go", (), None)],
)
def test_shortest_shutdown_wait_is_printed(call, client, more, least):
    asked = ("safe", "--client", client, "--listener", "5s", "--unlock-delay", "35s", *more)
    assert json.loads(call(*asked, "--json").out)["clients"][0]["shortest_wait"] == least
    if least is None:
        assert "This client has no such setting" in call(*asked, "--all").out
        return
    for wait, held in ((least, "is enough"), (least - 1, "is not enough"), (5_001, "is not enough")):
        told = call(*asked, "--shutdown-wait", f"{wait}ms", "--all")
        assert f"it needs {least} ms or more; {wait} {held}." in told.out
        assert ("a shutdown with messages does not wait" in told.out.splitlines()[0]) is (held == "is not enough")


def test_counterexample_waits_for_the_first_pull(call):
    out = call("safe", "--client", "5.2", "--listener", "300ms", "--all").out
    told = [line.split(". ", 1)[1] for line in out.splitlines() if re.match(r" +\d+\. ", line)]
    at = {words.split(": ", 1)[1]: float(words.split(" s: ")[0]) for words in told}
    for who in "XY":
        added = at[f"{who} receives the grant and adds the queue."]
        assert at[f"{who} pulls messages."] >= added + 0.5
    assert told[-3].endswith("The broker renews the lock of X (lock: X).")


def test_listener_shorter_than_a_first_pull_is_exclusive_with_renewals_in_time(call):
    asked = ("safe", "--client", "5.2", "--all", "--listener")
    assert "no consumer of the group is older than 5.0" in call(*asked, "300ms").out
    assert "it is not exclusive either" in call(*asked, "500ms").out


def test_go_cannot_wait_at_shutdown(call):
    first = call("safe", "--client", "go", "--shutdown-wait", "5s").out.splitlines()[0]
    assert first == "Exclusive, except when a shutdown with messages does not wait (the default)."


def test_mixed_group_is_as_safe_as_its_least_safe_client(call):
    called = call("safe", "--client", "5.1", "--client", "5.2")
    assert called.status == 1
    assert first_line(called) == NOT


def test_table_has_every_client(call):
    called = call("safe", "--table")
    assert called.status == 0
    *rows, briefly = called.out.splitlines()[1:]
    assert briefly == BRIEFLY
    told = [re.split(r" {2,}", row) for row in rows]
    recorded = {
        "Java 4.9.0 to 4.9.4": "consistent",
        "Java 4.9.5 to 4.9.8": "observed",
        "Java 5.0 to 5.1.4": "observed",
        "Java 5.2 to 5.5.0": "observed in 2 cases",
    }
    assert {name: mark for name, mark, _ in told} == {
        client.rocketmq_name: recorded.get(client.rocketmq_name, "not recorded") for client in CLIENTS
    }
    longest = {name: longest for name, _, longest in told}
    assert longest == {client.rocketmq_name: "none" if client.forces else "29 s" for client in CLIENTS}


@pytest.mark.parametrize("arguments", ["--client go", "--client 5.2", "--client 4.9 --client 5.3.3 --listener 3m"])
def test_json_matches_its_schema(call, arguments):
    Draft202012Validator.check_schema(schema())
    Draft202012Validator(schema()).validate(json.loads(call("safe", *arguments.split(), "--json").out))


def test_effect_of_renewals_in_time_is_printed(call):
    in_time = "If a renewal is granted every 20 s, and noted within the broker answer, "
    assert f"{in_time}it is not exclusive either." in call("safe", "--client", "5.2", "--all").out
    longer = call("safe", "--client", "4.9", "--listener", "35s", "--all").out
    assert f"{in_time}it is exclusive if the assumptions" in longer
    assert "a renewal is granted" not in call("safe", "--client", "4.9", "--all").out


def test_json_has_a_version_and_the_assumptions_with_their_claims(call):
    document = json.loads(call("safe", "--client", "go", "--json").out)
    assert (document["format"], document["verdict"], document["exceptions"]) == (1, "EXCLUSIVE EXCEPT", ["shutdown"])
    (client,) = document["clients"]
    assert {one["otherwise"] for one in client["premises"]} >= {"ordered.go.exclusive.without-restart"}
    assert "return" not in {one["name"] for one in client["premises"]}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--client is missing; give one such as --client 5.2 or --client go, or --table for all clients"),
        (("--client", "6.4"), "version '6.4' is not covered; name a Java client version 4.x or 5.x"),
        (("--client", "3.8"), "version '3.8' is not covered"),
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
def test_wrong_call_ends_with_one_sentence(call, arguments, said):
    called = call("safe", *arguments)
    assert called.status == 2
    assert said in called.err
    assert len(called.err.splitlines()) == 1
    assert not called.out


def test_useless_settings_are_noted(call):
    assert "Note: lockInterval is not below" in call("safe", "--client", "4.9", "--renewal", "30s").out
    longer = call("safe", "--client", "4.9", "--lock-max-live", "61s")
    assert "Note: the client's lockMaxLiveTime is longer than the broker's." in longer.out
    assert longer.status == 1
    assert "longer than the broker's" not in call("safe", "--client", "4.9", "--lock-max-live", "60s").out


def test_pauses_are_listed_for_every_client(call):
    lines = call("safe", "--pauses").out.splitlines()
    assert all(client.rocketmq_name in lines[0] for client in CLIENTS)
    crashed = next(line for line in lines if line.startswith("the old owner crashed"))
    assert crashed.split()[4:] == ["100", "s", "80", "s", "70", "s", "70", "s", "100", "s"]
    assert any("explored, not proved" in line for line in lines)
    join = next(line for line in lines if line.startswith("join "))
    assert join.split("  ")[-1].strip() == "100 s; 180 s"


def test_pauses_of_the_first_table_are_for_one_event_only(call):
    lines = call("safe", "--pauses").out.splitlines()
    assert "Each bound of this table holds for one event in a calm group; two events in a row can take longer." in lines


@pytest.mark.parametrize(
    "arguments", ["--pauses --listener 6s", "--pauses --client 5.2", "--table --json", "--table --all"]
)
def test_options_that_exclude_each_other_are_refused(call, arguments):
    called = call("safe", *arguments.split())
    assert (called.status, called.out, len(called.err.splitlines())) == (2, "", 1)
