"""``rebalance settle``: longest time until every queue is consumed again."""

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import integers, sampled_from
from jsonschema import Draft202012Validator

from rebalance_proofs.model.machines.ordered.actions import CLIENTS, V5_2
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.ordered.passing import TICK, Way
from rebalance_proofs.proofs.ordered.pauses import longest
from rebalance_proofs.recorded.grpc.check import SHIPPED, checked
from rebalance_proofs.recorded.grpc.events import load
from rebalance_proofs.recorded.grpc.scenarios import SCENARIOS
from rebalance_proofs.report.ordered.two_events import ONE_EVENT, PLANNED, composed
from rebalance_proofs.report.settling import sdks
from rebalance_proofs.report.settling.rendered import schema
from rebalance_proofs.report.settling.settings import SHORTEST
from rebalance_proofs.report.settling.settle import EVENTS
from rebalance_proofs.report.text.english import seconds

EXPECTED = {claim.id: claim.expected for claim in LEDGER}


def test_settle_reports_a_crash_in_5_2(call):
    called = call("settle", "--client", "5.2", "--event", "crash", "--rate", "100/s")
    assert called.status == 0
    assert called.out.splitlines()[0] == (
        "Java 5.2 to 5.5.0, concurrent listeners: when a process crashes, every queue is consumed again within 26.5 s."
    )
    assert "proved, observed: settling.java_v5_2_to_v5_3.settles" in called.out
    assert "2,650" in called.out
    assert "about 500 messages are redelivered: those consumed in the 5 s between two commits" in called.out


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("client", ["4.9.8", "5.1.4", "5.3.3"])
def test_every_duration_is_proved_or_marked_as_not_proved(call, client, event):
    document = json.loads(call("settle", "--client", client, "--event", event, "--json").out)
    Draft202012Validator(schema()).validate(document)
    parts = [*document["parts"], *filter(None, (document["notified"], document["overlap"]))]
    for part in parts:
        assert (part["basis"] == "PROVED") is (part["claim"] is not None)
        assert part["claim"] is None or EXPECTED[part["claim"]] is Verdict.PROVED
    assert document["total"] == sum(part["time"] for part in document["parts"])
    assert bool(document["notified"]) is EVENTS[event].notified


@pytest.mark.parametrize(
    ("event", "claims", "times"),
    [
        ("crash", [], []),
        ("host-lost", ["gone"], [130_000]),
        ("broker-restart", ["routed", "again"], [30_000, 30_000]),
        ("queues-added", ["routed"], [30_000]),
        ("broker-added", ["routed"], [30_000]),
        ("join", [], []),
        ("shutdown", [], []),
    ],
)
def test_times_of_brokers_and_routes_are_proved_by_claims(call, event, claims, times):
    """Times of first heartbeats, unregister requests and closed connections are read in the sources, not proved."""
    document = json.loads(call("settle", "--client", "5.2", "--event", event, "--json").out)
    proved = [part for part in document["parts"] if str(part["claim"]).startswith("registry.")]
    assert [part["claim"] for part in proved] == [f"registry.java_v4_9_to_v5_3.{claim}" for claim in claims]
    assert [part["time"] for part in proved] == times


def test_shutdown_redelivers_more_than_running_messages(call):
    """A commit has the offset of the first message that is not done, and it can fail."""
    told = call("settle", "--client", "5.2", "--event", "shutdown").out
    assert "messages in running listeners, messages consumed behind them, and more if the last commit is lost" in told


def test_longer_loop_counts_twice(call):
    def total(*more):
        return json.loads(call("settle", "--client", "4.9.8", "--event", "join", "--json", *more).out)["total"]

    assert total() == 27_000
    assert total("--loop", "5s") == 31_000
    assert total("--loop", "5s", "--wait", "10s") == 21_000


def test_ordered_queue_pauses_as_explored(call):
    document = json.loads(call("settle", "--client", "5.2", "--event", "crash", "--mode", "push orderly", "--json").out)
    assert [part["basis"] for part in document["parts"]] == ["READ", "EXPLORED"]
    assert document["total"] == longest(V5_2, Way.CRASHED).ticks * TICK
    assert document["again"] == 0
    assert document["notified"] is None
    assert document["overlap"] is None


@pytest.mark.parametrize(("client", "wait"), [("4.9.8", 1000), ("5.1.4", 1000), ("5.2", 500)])
def test_each_running_listener_of_a_removed_ordered_queue_makes_a_rebalance_longer(call, client, wait):
    def total(*more):
        return json.loads(call("settle", "--client", client, "--event", "join", "--json", *more).out)["total"]

    assert total("--busy", "4") - total() == 2 * 4 * wait
    orderly = ("--mode", "push orderly")
    assert total("--busy", "4", *orderly) - total(*orderly) == 4 * wait
    told = call("settle", "--client", client, "--event", "join", "--all").out
    assert f"by {wait / 1000:g} s, one after the other (--busy; read in the sources, not proved)" in told
    busy = call("settle", "--client", client, "--event", "join", "--busy", "1", "--all").out
    assert "one after the other (--busy" not in busy


@pytest.mark.parametrize(("client", "usual"), [("4.9.8", None), ("5.1.4", None), ("5.2", 27_500)])
def test_ordered_join_from_5_2_waits_for_the_old_owners_timer(call, client, usual):
    """Recorded joins of 5.3.3 with a listener of 5 s: 19.4 s to 21.0 s."""
    arguments = ("--client", client, "--event", "join", "--mode", "push orderly", "--json")
    told = json.loads(call("settle", *arguments).out)["notified"]
    assert (told and (told["time"], told["basis"])) == (usual and (usual, "READ"))


@pytest.mark.parametrize(
    ("client", "part", "claim"),
    [("4.9.8", 1000, "subscriptions.java_v4_9_to_v5_3.accepted-soon"), ("5.0.0", 500, None), ("5.2", 500, None)],
)
def test_first_pull_may_be_refused_up_to_4_9_and_is_delayed_from_5_0(call, client, part, claim):
    last = json.loads(call("settle", "--client", client, "--event", "join", "--json").out)["parts"][-1]
    assert (last["time"], last["claim"]) == (part, claim)


def test_refused_pull_is_repeated_after_one_second(call):
    """``ClientConfig.pullTimeDelayMillsWhenException``."""
    told = call("settle", "--client", "5.2", "--event", "join", "--all").out
    assert "and until the next pull, 1 s (read in the sources, not proved)" in told


def test_brokers_may_notify_after_a_lost_host(call):
    told = call("settle", "--client", "5.2", "--event", "host-lost").out
    assert "they may notify then" in told
    assert "(7 s)" in told


@pytest.mark.parametrize(
    ("client", "more", "claim"),
    [
        ("5.2", (), "offsets.java_v5.not-skipped.without-offset"),
        ("4.9.8", (), "offsets.java_v4_9.not-skipped.without-offset"),
        ("5.2", ("--mode", "push orderly"), "offsets.java_v5_2-orderly.not-skipped.without-offset"),
    ],
)
@pytest.mark.parametrize("event", ["queues-added", "broker-added"])
def test_skipped_messages_of_new_queues_are_printed(call, client, more, claim, event):
    arguments = ("--client", client, "--event", event, "--rate", "100/s", *more)
    told = call("settle", *arguments).out
    assert EXPECTED[claim] is Verdict.REFUTED
    assert claim in told
    assert "rocketmq#9307" in told
    assert "Skipped from new queues: " in told
    assert "\nNo message that was committed" not in told
    document = json.loads(call("settle", *arguments, "--json").out)
    assert document["skipped"] == document["waiting"] > 0
    assert claim in document["seen"]


def test_no_message_is_skipped_without_new_queues(call):
    arguments = ("--client", "5.2", "--event", "join", "--rate", "100/s")
    assert "CONSUME_FROM_LAST_OFFSET" not in call("settle", *arguments).out
    assert json.loads(call("settle", *arguments, "--json").out)["skipped"] == 0


@pytest.mark.parametrize(
    ("event", "overlap", "basis"),
    [
        ("join", 26_000, "PROVED"),
        ("queues-added", 56_000, "ADDED"),
        ("broker-restart", 86_000, "ADDED"),
        ("crash", None, None),
        ("shutdown", None, None),
    ],
)
def test_old_owner_reads_on_until_it_has_rebalanced(call, event, overlap, basis):
    told = json.loads(call("settle", "--client", "5.2", "--event", event, "--json").out)["overlap"] or {}
    assert (told.get("time"), told.get("basis")) == (overlap, basis)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--event", "crash"), "Missing option '--client'."),
        (("--client", "5.2"), "Missing option '--event'."),
        (("--client", "5.2", "--event", "quake"), "'quake' is not one of"),
        (
            ("--client", "node", "--event", "crash"),
            "the rebalance thread of Node is not modelled; name a Java client version such as 5.2, or the gRPC client "
            "grpc-node\n",
        ),
        (
            ("--client", "go", "--event", "crash"),
            "the rebalance thread of Go is not modelled; name a Java client version such as 5.2, or the gRPC client "
            "grpc-go\n",
        ),
        (("--client", "9.9", "--event", "crash"), "version '9.9' is not covered"),
        (
            ("--client", "5.2", "--event", "crash", "--rate", "100"),
            "'100' is not a rate; write messages per second, such as 100/s",
        ),
        (("--client", "5.2", "--event", "crash", "--loop", "3"), "'3' has no unit"),
        (
            ("--client", "5.2", "--event", "join", "--mode", "push orderly", "--loop", "5s"),
            "which uses default settings",
        ),
        (("--client", "5.2", "--event", "join", "--rate", "9/s", "--commit-interval", "1s"), "--commit-interval needs"),
        (("--client", "5.2", "--event", "crash", "--commit-interval", "1s"), "--commit-interval needs"),
        (("--client", "5.2", "--event", "join", "--busy", "-1"), "-1 is not in the range"),
        (
            ("--event", "join", "--client", "5.2", "--mode", "push orderly", "--within", "9s"),
            "--within needs --mode push",
        ),
        (("--event", "join", "--client", "5.2", "--all", "--json"), "leave out --json"),
    ],
)
def test_wrong_call_ends_with_one_sentence(call, arguments, said):
    called = call("settle", *arguments)
    assert (called.status, called.out) == (2, "")
    assert said in called.err
    assert len(called.err.splitlines()) == 1


def test_proved_bound_holds_for_one_event_only(call):
    text = call("settle", "--client", "5.2", "--event", "crash").out
    assert "holds for one event in a calm group; two events in a row can take longer." in text
    assert "Longest wait for this event and one other, in either order, at any distance" in text


@pytest.mark.parametrize(("client", "name"), [("4.9.8", "java_v4_9"), ("5.2", "java_v5_2")])
@pytest.mark.parametrize("event", ["join", "shutdown", "crash", "host-lost"])
def test_ordered_bound_holds_for_two_events(call, client, name, event):
    arguments = ("settle", "--client", client, "--event", event, "--mode", "push orderly")
    document = json.loads(call(*arguments, "--json").out)
    pairs = composed(name).pairs
    for one in document["two_events"]:
        found = [pairs[pair][0] for pair in ((event, one["event"]), (one["event"], event)) if pair in pairs]
        assert one["time"] == (max(found) * TICK if found else None)
    longest_two = max(one["time"] for one in document["two_events"] if one["event"] in PLANNED)
    assert longest_two >= document["total"]
    told = call(*arguments).out
    after = composed(name).after_last * TICK
    assert document["after_last"] == (after if event in PLANNED else None)
    assert told.splitlines()[0].endswith(
        f"no queue waits longer than {longest_two // 1000} s for its owner, plus the time of rebalances and first "
        "pulls, even if one other consumer joins, shuts down or crashes at any time."
    )
    within = f"within {after // 1000} s of the last of these events"
    often = f"However many consumers join, shut down or crash, every queue is consumed again {within}"
    third = "A third event can prolong the wait."
    assert (often in told, third in told) == ((True, False) if event in PLANNED else (False, True))
    assert f"This event alone, in a calm group: {document['total'] // 1000} s" in told


@pytest.mark.parametrize(("mode", "apart"), [("push orderly", "190 s"), ("push", "36 s")])
def test_rolling_restart_has_a_distance_after_which_the_group_is_calm(call, mode, apart):
    arguments = ("settle", "--client", "4.9.8", "--event", "rolling", "--mode", mode)
    first = call(*arguments).out.splitlines()[0]
    assert f"if at least {apart} pass from the end of a restart to the next one." in first
    assert call(*arguments, "--distance", apart.replace(" ", "")).out == call(*arguments).out
    closer = call(*arguments, "--distance", "10s").out.splitlines()[0]
    assert closer.endswith(f"Wait at least {apart} from the end of a restart to the next one.")
    document = json.loads(call(*arguments, "--json").out)
    found = document["kubernetes"]
    assert found["min_ready_seconds"] == document["apart"] // 1_000 + found["termination_grace_period_seconds"]


@pytest.mark.parametrize(
    ("wait", "loop", "apart"), [(20, 3, 36), (20, 12, 54), (10, 12, 54), (60, 3, 67), (60, 12, 85)]
)
def test_distance_between_restarts_covers_long_rebalances_and_a_slow_timer(call, wait, loop, apart):
    """Times are explored with a timer of 20 s and without the time of rebalances."""
    arguments = ("settle", "--client", "4.9.8", "--event", "rolling", "--wait", f"{wait}s", "--loop", f"{loop}s")
    document = json.loads(call(*arguments, "--json").out)
    assert document["apart"] == apart * 1_000 >= document["after_last"]
    found = document["kubernetes"]
    assert found["min_ready_seconds"] == apart + found["termination_grace_period_seconds"]


def test_distance_needs_a_rolling_restart(call):
    called = call("settle", "--client", "4.9.8", "--event", "join", "--distance", "10s")
    assert (called.status, called.err) == (2, "rebalance: --distance needs --event rolling\n")


def flags(text):
    return {name: int(value) for name, value in re.findall(r"^ +-D(\S+)=(\d+)$", text, re.MULTILINE)}


@pytest.mark.parametrize("client", ["4.9.8", "5.1.4", "5.3.3"])
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    event=sampled_from(sorted(name for name, event in EVENTS.items() if not event.only_explored)),
    within=integers(1, 200_000),
    loop=integers(0, 10_000),
    wait=integers(1, 60_000),
    busy=integers(0, 5),
)
def test_pasted_wait_gives_the_wanted_time(call, client, event, within, loop, wait, busy):
    asked = ("settle", "--client", client, "--event", event, "--loop", f"{loop}ms", "--busy", f"{busy}")
    text = call(*asked, "--wait", f"{wait}ms", "--within", f"{within}ms").out
    pasted = flags(text)["rocketmq.client.rebalance.waitInterval"]
    after = json.loads(call(*asked, "--wait", f"{pasted}ms", "--json").out)
    if "No waitInterval gives" in text:
        shortest = json.loads(call(*asked, "--wait", f"{SHORTEST}ms", "--json").out)
        assert after["total"] > within
        assert shortest["total"] > within or wait < SHORTEST
    else:
        assert after["total"] <= within
        longer = json.loads(call(*asked, "--wait", f"{pasted + 1}ms", "--json").out)
        assert pasted == wait or longer["total"] > within


@pytest.mark.parametrize(("mode", "wait"), [("push", 7_001), ("push orderly", 67_001)])
def test_shutdown_waits_for_the_given_listener(call, mode, wait):
    arguments = ("settle", "--client", "5.2", "--event", "shutdown", "--mode", mode, "--listener", "7s", "--json")
    document = json.loads(call(*arguments).out)
    assert document["settings"]["code"]["awaitTerminationMillisWhenShutdown"] == wait
    assert document["kubernetes"]["shutdown_takes"][0]["time"] == 2 * wait


@pytest.mark.parametrize("time", ["0s", "0.4ms"])
def test_request_timeout_of_zero_is_refused_because_requests_would_fail(call, time):
    refused = call("settle", "--client", "grpc-java", "--event", "crash", "--request", time)
    assert (refused.status, refused.out) == (2, "")
    assert "--request is 0, so every request would fail; give at least 1ms" in refused.err
    assert call("settle", "--client", "grpc-java", "--event", "crash", "--request", "1ms").status == 0


@pytest.mark.parametrize("client", ["4.9.0", "4.9.8", "5.1.4", "5.2"])
@pytest.mark.parametrize("mode", ["push", "push orderly"])
@pytest.mark.parametrize("busy", [(), ("--busy", "10")])
def test_ends_of_a_pod_have_the_times_of_their_events(call, client, mode, busy):
    """Rows are bounded no lower than the first line of the answer for the same event."""

    def asked(event):
        arguments = ("settle", "--client", client, "--event", event, "--mode", mode, *busy, "--json")
        return json.loads(call(*arguments).out)

    def longest_of(event):
        document = asked(event)
        if mode == "push":
            return document["total"]
        return max(one["time"] for one in document["two_events"] if one["event"] in PLANNED)

    bounds = {case["name"]: case["bound"] for case in asked("join")["kubernetes"]["cases"]}
    crash = longest_of("crash")
    assert bounds == {
        "shutdown": longest_of("shutdown"),
        "no-shutdown": crash,
        "killed": crash,
        "node-lost": longest_of("host-lost"),
    }


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("client", CLIENTS[:-1], ids=lambda client: client.name)
def test_ordered_bound_covers_queues_that_move_between_live_owners(call, client, event):
    release = {"java_v4_9_0": "4.9.0", "java_v4_9": "4.9.8", "java_v5_0": "5.1.4", "java_v5_2": "5.2"}[client.name]
    found = json.loads(call("settle", "--client", release, "--event", event, "--mode", "push orderly", "--json").out)
    of, called = composed(client.name), EVENTS[event]
    ticks = of.around("shutdown", "join") if event == "rolling" else of.single[called.explored][0]
    assert found["total"] == ticks * TICK
    if not called.delay and not called.only_explored:
        assert ticks == max(longest(client, one).ticks for one in (called.way, Way.ALIVE))


@pytest.mark.parametrize("client", ["4.9.0", "4.9.8", "5.1.4", "5.2"])
@pytest.mark.parametrize("event", ["shutdown", "queues-added"])
def test_ordered_bound_is_unknown_for_listeners_above_ten_seconds(call, client, event):
    arguments = ("settle", "--client", client, "--event", event, "--mode", "push orderly", "--rate", "9/s")
    document = json.loads(call(*arguments, "--listener", "10001ms", "--json").out)
    Draft202012Validator(schema()).validate(document)
    assert (document["total"], document["waiting"]) == (None, None)
    assert {case["bound"] for case in document["kubernetes"]["cases"]} == {None}
    text = call(*arguments, "--listener", "11s").out
    assert text.splitlines()[0].endswith("is unknown: explored only for listeners of at most 10 s.")
    assert "This bound" not in text
    assert json.loads(call(*arguments, "--listener", "10s", "--json").out)["total"]


def test_wait_of_zero_is_refused_because_the_thread_would_spin(call):
    refused = call("settle", "--client", "4.9.8", "--event", "crash", "--wait", "0s")
    assert (refused.status, refused.out) == (2, "")
    assert "--wait is 0, so the rebalance thread would never pause; give at least 1ms" in refused.err
    assert call("settle", "--client", "4.9.8", "--event", "crash", "--wait", "1ms").status == 0


@pytest.mark.parametrize("client", ["4.9.0", "4.9.8", "5.1.4", "5.2"])
@pytest.mark.parametrize("mode", ["push", "push orderly"])
@pytest.mark.parametrize("listener", ["0s", "5s", "60s"])
def test_grace_period_covers_both_waits_and_a_silent_broker(call, client, mode, listener):
    arguments = ("settle", "--client", client, "--event", "crash", "--mode", mode, "--listener", listener, "--json")
    document = json.loads(call(*arguments).out)
    found, wait = document["kubernetes"], document["settings"]["code"]["awaitTerminationMillisWhenShutdown"]
    assert found["allowance_per_broker"] >= 16_000  # measured with Java 5.0.0
    assert found["termination_grace_period_seconds"] * 1_000 >= 2 * wait + found["allowance_per_broker"]
    assert found["proved"] is False


@pytest.mark.parametrize("mode", ["push", "push orderly"])
@pytest.mark.parametrize("event", EVENTS)
def test_answer_is_short_without_all(call, event, mode):
    rate = ("--rate", "9/s") if mode == "push" else ()
    text = call("settle", "--client", "4.9.8", "--event", event, "--mode", mode, *rate).out
    assert len(text.split("\n\n")[1].splitlines()) <= 10
    twice = "even if one other consumer joins" in text.splitlines()[0] or event == "rolling"
    assert text.count(ONE_EVENT) == (mode == "push" or not twice)


SDKS = ["grpc-java", "grpc-java 5.0.8", "grpc-go", "grpc-cpp", "grpc-rust", "grpc-csharp", "grpc-node", "grpc-python"]
GONE = ["crash", "host-lost", "stop", "shutdown", "rolling"]


@pytest.mark.parametrize("mode", ["push", "push orderly", "simple"])
@pytest.mark.parametrize("event", [event for event in EVENTS if event not in sdks.OUTAGES])
@pytest.mark.parametrize("client", [*SDKS, "grpc"])
def test_grpc_client_has_a_bound_with_its_parts(call, client, event, mode):
    given = ("--mode", mode, *(("--invisible", "30s") if mode == "simple" else ()))
    document = json.loads(call("settle", "--client", client, "--event", event, *given, "--json").out)
    Draft202012Validator(sdks.schema()).validate(document)
    assert document["total"] == sum(part["time"] for part in document["reads"] + document["hidden"])
    assert bool(document["hidden"]) == (event in GONE)
    assert not (document["reads"] and event in GONE)
    text = call("settle", "--client", client, "--event", event, *given).out
    assert "No queue is without a reader while another consumer" in text or event in sdks.GROWS


@pytest.mark.parametrize(
    ("client", "event", "options", "total"),
    [
        ("grpc-java", "crash", "", 120_000 + 10_000 + 5_000 + 1_000 + 7_000),
        ("grpc-java", "host-lost", "--mode|push orderly", 120_000 + 10_000 + 5_000 + 1_000 + 100),
        ("grpc-go 5.0.0", "crash", "--mode|simple|--invisible|30s", 30_000 + 7_000),
        ("grpc-go", "shutdown", "--mode|simple|--invisible|10s", 10_000 + 7_000),
        ("grpc-go", "shutdown", "--mode|simple|--invisible|12h", 43_200_000 + 7_000),
        ("grpc-java", "join", "--mode|simple", 0),
        ("grpc-node", "shutdown", "", 5_000 + 1_000 + 7_000),
        ("grpc-java", "join", "", 1_000 + 3_000),
        ("grpc-cpp", "join", "--request|5s", 100 + 5_000),
        ("grpc-rust", "lost-notification", "", 3_000 + 30_000),
        ("grpc-python 5.0.9", "join", "", 1_000 + 3_000 + 5_000),
        ("grpc-python 5.1.1", "join", "", 1_000 + 3_000),
        ("grpc-csharp", "queues-added", "", 0),
        ("grpc-csharp", "queues-added", "--mode|push orderly", 20_000 + 2 * (5_000 + 3_000)),
        ("grpc-rust", "broker-added", "", 20_000 + 2 * (30_000 + 3_000)),
        ("grpc-java", "broker-added", "--mode|simple", 20_000 + 2 * (30_000 + 3_000)),
    ],
)
def test_bound_of_a_grpc_client(call, client, event, options, total):
    given = options.split("|") if options else []
    document = json.loads(call("settle", "--client", client, "--event", event, *given, "--json").out)
    assert document["total"] == total
    assert seconds(total) in call("settle", "--client", client, "--event", event, *given).out or not total


def test_recorded_crash_lies_between_the_least_time_and_the_bound(call):
    again = checked(load(SHIPPED / "grpc_crash")).again.values()
    assert {f"{time / 1000:.1f}" for time in again} == {"121.5"}
    document = json.loads(call("settle", "--client", "grpc-python 5.1.1", "--event", "crash", "--json").out)
    assert document["least_hidden"] <= min(again) <= max(again) <= document["total"]
    assert "got such messages 121.5 s after the kill" in call("settle", "--client", "grpc", "--event", "crash").out
    assert "121.5" not in call("settle", "--client", "grpc-java", "--event", "host-lost").out


@pytest.mark.parametrize("client", [*SDKS, "grpc"])
def test_recorded_crash_is_named_only_for_clients_of_that_group(call, client):
    clients = {"rocketmq-client-java": "grpc-java", "rocketmq-python-client": "grpc-python"}
    recorded = {clients[one.client] for one in SCENARIOS["grpc_crash"].members.values()}
    text = call("settle", "--client", client, "--event", "crash").out
    assert ("121.5" in text) is (client == "grpc" or client.partition(" ")[0] in recorded)
    assert "The messages stay hidden for at least" in text


def test_clients_of_both_kinds_are_answered_one_by_one(call):
    text = call("settle", "--client", "5.2,grpc-java", "--event", "crash").out
    assert text.startswith("A group with gRPC clients and other clients is not modelled. ")
    assert "(recorded/grpc/proxy-5.5.0/grpc_mixed).\n\nJava 5.2 to 5.5.0, " in text
    assert "\n\ngRPC Java, push: when a process crashes, " in text


@pytest.mark.parametrize("command", [("settle", "--event", "join"), ("list",)])
def test_answer_about_several_grpc_clients_has_one_empty_line_before_each_but_the_first(call, command):
    text = call(*command, "--client", "grpc-java,grpc-go").out
    assert text.startswith("gRPC Java")
    assert text.count("\n\ngRPC Go") == 1


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("--client|grpc-java|--event|broker-restart", "gRPC Java has no bound for the event broker-restart: how soon"),
        ("--client|grpc|--event|broker-frozen", "gRPC clients have no bound for the event broker-frozen: how soon"),
        ("--client|grpc-go 5.0.0|--event|join", "gRPC Go 5.0.0 has no push consumer; use --mode simple"),
        ("--client|grpc-go|--event|crash|--mode|simple", "--mode simple needs --invisible, the invisible duration"),
        ("--client|grpc-go|--event|crash|--invisible|9s", "--invisible needs --mode simple; the proxy renews"),
        (
            "--client|grpc-go|--event|crash|--mode|simple|--invisible|9.9s",
            "--invisible must be 10s to 12h: by default,",
        ),
        (
            "--client|grpc-go|--event|crash|--mode|simple|--invisible|12.1h",
            "--invisible must be 10s to 12h: by default,",
        ),
        ("--client|grpc-go|--event|join|--mode|simple|--invisible|13h", "--invisible must be 10s to 12h: by default,"),
        ("--client|grpc-go|--event|crash|--busy|1", "--busy does not concern gRPC clients; leave it out"),
        ("--client|grpc-go|--event|crash|--all", "--all does not concern gRPC clients; leave it out"),
        ("--client|5.2|--event|crash|--request|3s", "--request needs a gRPC client, such as --client grpc-java"),
        ("--client|5.2|--event|crash|--mode|simple", "--mode simple needs gRPC clients only, such as"),
        ("--client|5.2,grpc-java|--event|crash|--mode|simple", "--mode simple needs gRPC clients only, such as"),
    ],
)
def test_option_of_the_other_kind_of_client_is_refused(call, arguments, why):
    called = call("settle", *arguments.split("|"))
    assert (called.status, called.out) == (2, "")
    assert called.err.startswith(f"rebalance: {why}")


@pytest.mark.parametrize("command", [("settle", "--event", "crash"), ("list",)])
@pytest.mark.parametrize(
    ("client", "near"),
    [
        ("grpc-foo", "grpc-go"),
        ("grpc-kotlin", "grpc-go"),
        ("grpc-java-99", "grpc-java"),
        ("grpc-java-4.9", "grpc-java"),
        ("grpc-java 9.9", "grpc-java"),
        ("grpc-node-2.0.0", "grpc-node 1.0.8"),
        ("5.2,grpc-jav", "grpc-java"),
    ],
)
def test_name_like_a_grpc_client_is_refused_with_the_nearest(call, command, client, near):
    called = call(*command, "--client", client)
    name = client.rpartition(",")[2]
    assert (called.status, called.out) == (2, "")
    assert called.err == f"rebalance: unknown client {name!r}; did you mean {near!r}?\n"


@pytest.mark.parametrize("command", [("settle", "--event", "crash"), ("list",)])
def test_release_between_two_equal_ones_is_marked_as_such(call, command):
    text = call(*command, "--client", "grpc-java-5.2.0").out
    assert text.splitlines()[1] == (
        "gRPC Java 5.2.0 is between 5.0.8 and 5.2.1, which were read and share the model of this answer."
    )
    assert "was not read" not in text


@pytest.mark.parametrize("client", ["python", "rst", "5.2,python"])
def test_unknown_client_is_told_only_clients_with_an_answer(call, client):
    called = call("settle", "--client", client, "--event", "crash")
    name = client.rpartition(",")[2]
    said = f"rebalance: unknown client {name!r}; name a Java client version from 4.9.0 to 5.5.0, or a gRPC client "
    said += "such as grpc-java\n"
    assert (called.status, called.err) == (2, said)
