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
from rebalance_proofs.report.ordered.two_events import ONE_EVENT, PLANNED, composed
from rebalance_proofs.report.settling.rendered import schema
from rebalance_proofs.report.settling.sdks import KNOWN, no_bound
from rebalance_proofs.report.settling.settings import SHORTEST
from rebalance_proofs.report.settling.settle import EVENTS

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
            "the rebalance thread of Node is not modelled; name a Java client version",
        ),
        (
            ("--client", "go", "--event", "crash"),
            "the rebalance thread of Go is not modelled; name a Java client version",
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


@pytest.mark.parametrize(
    ("client", "event", "known"),
    [
        ("grpc-java", "crash", "at most 76 s after its last heartbeat"),
        ("rocketmq-client-java 5.0.8", "host-lost", "Unknown is how soon the broker delivers them"),
        ("grpc-go", "join", "queries its assignments 1 s after its start"),
        ("grpc-python", "shutdown", "other clients were not read"),
        ("grpc-java", "crash", "Messages that the crashed consumer had received"),
        ("grpc-java", "host-lost", "Messages that the lost consumer had received"),
        ("rocketmq-v5-client-spring-boot-starter", "stop", "receive without a pause"),
        ("5.3.3,grpc-node", "rolling", "the other consumers receive without a pause"),
    ],
)
def test_grpc_client_is_refused_with_what_is_known(call, client, event, known):
    called = call("settle", "--client", client, "--event", event)
    assert called.status == 2
    assert "gRPC" in called.err
    assert " has no bound for the event" in called.err
    assert known in " ".join(called.err.split())


@pytest.mark.parametrize(
    ("client", "begin"),
    [
        ("grpc", "gRPC clients have no bound"),
        ("grpc-java", "gRPC Java has no bound"),
        ("grpc-java 5.0.8", "gRPC Java 5.0.8 has no bound"),
        ("grpc-java,5.2,grpc-go", "gRPC Java and gRPC Go have no bound"),
    ],
)
def test_refusal_is_in_the_plural_for_several_grpc_clients(call, client, begin):
    assert call("settle", "--client", client, "--event", "join").err.startswith(
        f"rebalance: {begin} for the event join:"
    )


@pytest.mark.parametrize(
    ("client", "near"),
    [
        ("grpc-foo", "grpc-go"),
        ("grpc-java-99", "grpc-java"),
        ("grpc-java 9.9", "grpc-java"),
        ("5.2,grpc-jav", "grpc-java"),
    ],
)
def test_name_like_a_grpc_client_is_refused_with_the_nearest(call, client, near):
    called = call("settle", "--client", client, "--event", "crash")
    name = client.rpartition(",")[2]
    assert (called.status, called.out) == (2, "")
    assert called.err == f"rebalance: unknown client {name!r}; did you mean {near!r}?\n"


def test_events_of_brokers_do_not_promise_receiving_without_a_pause(call):
    for event in ("broker-restart", "broker-frozen", "broker-added", "queues-added"):
        said = call("settle", "--client", "grpc-java", "--event", event).err
        assert "The proxy assigns every broker to every consumer of a group (read in" in said
        assert "pause" not in said


def test_crash_names_the_time_of_the_recording_as_an_observation(call):
    found = checked(load(SHIPPED / "grpc_crash"))
    assert {f"{time / 1000:.1f}" for time in found.again.values()} == {"121.5"}
    said = call("settle", "--client", "grpc-java", "--event", "crash").err
    assert "other consumers got such messages 121.5 s after the kill" in said
    assert "This was observed once, and is not a bound" in said
    assert "121.5" not in call("settle", "--client", "grpc-java", "--event", "host-lost").err


@pytest.mark.parametrize("client", ["python", "rst", "5.2,python"])
def test_unknown_client_is_told_only_clients_with_an_answer(call, client):
    called = call("settle", "--client", client, "--event", "crash")
    name = client.rpartition(",")[2]
    said = f"rebalance: unknown client {name!r}; name a Java client version from 4.9.0 to 5.5.0\n"
    assert (called.status, called.err) == (2, said)


def test_other_client_has_no_refusal():
    assert no_bound(["5.3.3", "go", "python"], "crash") == ""
    assert set(KNOWN) <= set(EVENTS)
