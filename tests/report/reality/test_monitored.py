"""Bad events of refuted claims found in recorded groups, and chances of violating those that hold."""

from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.reality.monitored import monitored
from rebalance_proofs.report.reality.page import page, real
from rebalance_proofs.report.reality.told import happenings, helds, told
from rebalance_proofs.report.reality.wrong import CLIENTS, tried
from tests.recorded.cluster.traces import trace

LONG = "java-4.9.8/c2_ordered_long"


def test_two_listeners_on_one_queue_are_found():
    found = {one.what: one for one in happenings(monitored(trace(LONG)))}
    both = found["listeners of two consumers ran on one ordered queue, and one of them was shut down"]
    assert (both.times, both.at, both.longest) == (4, 151_933, 24_877)
    assert both.claims == ("ordered.java_v4_9.exclusive.without-shutdown",)
    assert all(not claim.holds for claim in select(list(both.claims)))


def test_recording_without_bad_events_has_none():
    assert happenings(monitored(trace("java-4.9.8/x_start_threw"))) == []


def test_claims_that_hold_count_their_chances():
    found = helds(monitored(trace(LONG)))
    assert {one.claim for one in found} >= {"ordered.java_v4_9.local", "offsets.java_v4_9-orderly.only-uncommitted"}
    assert all(one.against == 0 for one in found)
    assert sum(one.opportunities for one in found) > 100
    assert all(claim.holds for claim in select(sorted({one.claim for one in found})))


def test_claims_are_those_of_the_release():
    (older,) = told("ordered", "4.9.8", "local", "", 1, []).claims
    assert older.id == "ordered.java_v4_9.local"
    assert not told("ordered", "3.2.6", "local", "", 1, []).claims
    named = told("ordered", "5.3.3", "exclusive", "", 0, [], variants=("without-time",), perhaps=("without-twin",))
    assert [one.id for one in (*named.claims, *named.perhaps)] == [
        "ordered.java_v5_2.exclusive.without-time",
        "ordered.java_v5_2.exclusive.without-twin",
    ]


def test_page_has_each_machine_and_scenario():
    lines = list(page([real(trace(LONG), LONG)]))
    assert sum(line.startswith("| ordered | behaviours |") for line in lines) == 1
    assert any(line.startswith(f"| {LONG} | 2,881 |") for line in lines)
    assert not any("**no**" in line for line in lines[:-6] if line.startswith(f"| {LONG}"))


def test_encoding_that_forbids_a_recorded_event_is_rejected():
    found = {one.machine: one for one in tried([trace("java-4.9.8/x_start_threw")])}
    assert set(found) == set(CLIENTS)
    assert all(one.left for one in found.values()), "what only allows more explains what happened"
    assert sum(len(one.rejected) for one in found.values()) > 0
