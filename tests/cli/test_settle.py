"""``rebalance settle``: longest time until every queue is consumed again."""

import json

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.model.ordered.clients import V5_2
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.ordered.passing import TICK, Way
from rebalance_proofs.proofs.ordered.pauses import longest
from rebalance_proofs.report.settling.settle import EVENTS, schema

EXPECTED = {claim.id: claim.expected for claim in LEDGER}


def test_a_crash_in_5_2(call):
    called = call("settle", "--client", "5.2", "--event", "crash", "--rate", "100/s")
    assert called.status == 0
    assert called.out.splitlines()[0] == (
        "Java 5.2 and later, concurrent listeners: when a process dies, every queue has an owner that consumes again "
        "after at most 26.5 s."
    )
    assert "proved, observed: settling.java_v5_2_to_v5_3.settles" in called.out
    assert "2,650" in called.out
    assert "about 500, consumed in the 5 s between two commits" in called.out


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("client", ["4.9.8", "5.1.4", "5.3.3"])
def test_every_number_is_proved_or_marked_as_not_proved(call, client, event):
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
def test_what_brokers_and_routes_take_is_proved_where_a_claim_says_so(call, event, claims, times):
    """What a first heartbeat, a good-bye and closed connections take is read: nothing promises that it is no time."""
    document = json.loads(call("settle", "--client", "5.2", "--event", event, "--json").out)
    proved = [part for part in document["parts"] if str(part["claim"]).startswith("registry.")]
    assert [part["claim"] for part in proved] == [f"registry.java_v4_9_to_v5_3.{claim}" for claim in claims]
    assert [part["time"] for part in proved] == times


def test_a_shutdown_repeats_more_than_what_runs(call):
    """The offset that is sent is the first message's that is not done; and sending it may fail."""
    told = call("settle", "--client", "5.2", "--event", "shutdown").out
    assert "what its listeners still run, what was consumed behind that, and more where its last commit is lost" in told


def test_a_longer_loop_counts_twice(call):
    def total(*more):
        return json.loads(call("settle", "--client", "4.9.8", "--event", "join", "--json", *more).out)["total"]

    assert total() == 27_000
    assert total("--loop", "5s") == 31_000
    assert total("--loop", "5s", "--wait", "10s") == 21_000


def test_an_ordered_queue_pauses_as_explored(call):
    document = json.loads(call("settle", "--client", "5.2", "--event", "crash", "--mode", "push orderly", "--json").out)
    assert [part["basis"] for part in document["parts"]] == ["READ", "EXPLORED"]
    assert document["total"] == longest(V5_2, Way.CRASHED).ticks * TICK
    assert document["again"] == 0
    assert document["notified"] is None
    assert document["overlap"] is None


@pytest.mark.parametrize(("client", "wait"), [("4.9.8", 1000), ("5.1.4", 1000), ("5.2", 500)])
def test_each_listener_of_an_ordered_queue_that_is_taken_away_makes_a_rebalance_longer(call, client, wait):
    def total(*more):
        return json.loads(call("settle", "--client", client, "--event", "join", "--json", *more).out)["total"]

    assert total("--busy", "4") - total() == 2 * 4 * wait
    orderly = ("--mode", "push orderly")
    assert total("--busy", "4", *orderly) - total(*orderly) == 4 * wait
    told = call("settle", "--client", client, "--event", "join").out
    assert f"by {wait / 1000:g} s, one after the other (--busy; read in the sources, not claimed)" in told
    assert "one after the other" not in call("settle", "--client", client, "--event", "join", "--busy", "1").out


@pytest.mark.parametrize(("client", "usual"), [("4.9.8", None), ("5.1.4", None), ("5.2", 27_500)])
def test_from_5_2_on_a_join_under_a_listener_usually_takes_until_the_old_owners_timer(call, client, usual):
    """Recorded joins of 5.3.3 with a listener of 5 s: 19.4 s to 21.0 s."""
    arguments = ("--client", client, "--event", "join", "--mode", "push orderly", "--json")
    told = json.loads(call("settle", *arguments).out)["notified"]
    assert (told and (told["time"], told["basis"])) == (usual and (usual, "READ"))


@pytest.mark.parametrize(
    ("client", "part", "claim"),
    [("4.9.8", 1000, "subscriptions.java_v4_9_to_v5_3.accepted-soon"), ("5.0.0", 500, None), ("5.2", 500, None)],
)
def test_up_to_4_9_a_first_pull_may_be_refused_and_from_5_0_on_it_is_put_off(call, client, part, claim):
    last = json.loads(call("settle", "--client", client, "--event", "join", "--json").out)["parts"][-1]
    assert (last["time"], last["claim"]) == (part, claim)


def test_a_refused_pull_comes_again_after_one_second(call):
    """``ClientConfig.pullTimeDelayMillsWhenException``."""
    told = call("settle", "--client", "5.2", "--event", "join").out
    assert "and until the next pull, 1 s (read in the sources, not claimed)" in told


def test_of_a_host_that_is_lost_others_may_be_told(call):
    told = call("settle", "--client", "5.2", "--event", "host-lost").out
    assert "it may tell the others then" in told
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
def test_what_is_skipped_of_new_queues_is_told_and_nothing_else_promised_of_them(call, client, more, claim, event):
    arguments = ("--client", client, "--event", event, "--rate", "100/s", *more)
    told = call("settle", *arguments).out
    assert EXPECTED[claim] is Verdict.REFUTED
    assert claim in told
    assert "rocketmq#9307" in told
    assert "Of new queues nothing is committed" in told
    assert "  Nothing that was committed" not in told
    document = json.loads(call("settle", *arguments, "--json").out)
    assert document["skipped"] == document["waiting"] > 0
    assert claim in document["seen"]


def test_of_queues_that_are_not_new_nothing_is_said_to_be_skipped(call):
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
def test_who_lives_can_read_on_until_it_has_rebalanced(call, event, overlap, basis):
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
        (("--client", "9.9", "--event", "crash"), "newer than 5.3.3"),
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
    ],
)
def test_a_wrong_call_is_told_in_one_sentence(call, arguments, said):
    called = call("settle", *arguments)
    assert (called.status, called.out) == (2, "")
    assert said in called.err
    assert len(called.err.splitlines()) == 1


@pytest.mark.parametrize("mode", ["push", "push orderly"])
def test_bound_holds_for_one_event_only(call, mode):
    lines = call("settle", "--client", "5.2", "--event", "crash", "--mode", mode).out.splitlines()
    assert "This bound holds for one event in a calm group; two events in a row can take longer." in lines
