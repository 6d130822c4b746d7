"""``rebalance settle``: how long until every queue is consumed again."""

import json

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.settling.settle import EVENTS, schema

EXPECTED = {claim.id: claim.expected for claim in LEDGER}


def test_a_crash_in_5_2(call):
    called = call("settle", "--client", "5.2", "--event", "crash", "--rate", "100/s")
    assert called.status == 0
    assert called.out.splitlines()[0] == (
        "Java 5.2 and later, concurrent listeners: when a process dies, every queue has an owner that consumes again "
        "after at most 26.5 s."
    )
    assert "proved, model only: settling.java_v5_2_to_v5_3.settles" in called.out
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

    assert total() == 26_000
    assert total("--loop", "5s") == 30_000
    assert total("--loop", "5s", "--wait", "10s") == 20_000


def test_an_ordered_queue_pauses_as_explored(call):
    document = json.loads(call("settle", "--client", "5.2", "--event", "crash", "--mode", "push orderly", "--json").out)
    assert [part["basis"] for part in document["parts"]] == ["READ", "EXPLORED"]
    assert document["total"] == 80_000
    assert document["again"] == 0
    assert document["overlap"] is None


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
            "the rebalance thread of Node was not read; those of Java's clients were",
        ),
        (("--client", "go", "--event", "crash"), "the rebalance thread of Go was not read; those of Java"),
        (("--client", "9.9", "--event", "crash"), "newer than 5.3.3"),
        (("--client", "5.2", "--event", "crash", "--rate", "100"), "'100' is no rate; write it like 100/s"),
        (("--client", "5.2", "--event", "crash", "--loop", "3"), "'3' has no unit"),
        (("--client", "5.2", "--event", "join", "--mode", "push orderly", "--loop", "5s"), "told as shipped"),
        (("--client", "5.2", "--event", "join", "--rate", "9/s", "--commit-interval", "1s"), "--commit-interval tells"),
        (("--client", "5.2", "--event", "crash", "--commit-interval", "1s"), "--commit-interval tells"),
    ],
)
def test_a_wrong_call_is_told_in_one_sentence(call, arguments, said):
    called = call("settle", *arguments)
    assert (called.status, called.out) == (2, "")
    assert said in called.err
    assert len(called.err.splitlines()) == 1
