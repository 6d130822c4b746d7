"""Counterexamples as traces in the Informal Trace Format."""

import json
from dataclasses import replace

from rebalance_proofs.model.premises import SAME_CID_ALL
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.report.claims.played import trace
from tests.report.groups import AVG, counterexample, joined, smallest_of
from tests.report.runs import DEPENDENT


def of_claim(run, claim_id):
    return next(result for result in run.claims if result.claim.id == claim_id)


def test_refuted_claim_has_a_trace(green):
    result = of_claim(green, DEPENDENT)
    document = json.loads(json.dumps(trace(result, result.search.counterexample)))
    (state,) = document["states"]
    assert document["#meta"]["format"] == "ITF"
    assert set(state) == {"#meta", *document["vars"]}
    assert set(document["#meta"]["varTypes"]) == set(document["vars"])
    assert state["#meta"] == {"index": 0}
    assert state["readers"] == {"#map": [[0, {"#set": [0, 1]}]]}
    assert [consumer["cidAll"] for consumer in state["consumers"]] == [["c0"], ["c1"]]
    assert document["#meta"]["source"] == DEPENDENT


def test_large_numbers_are_big_integers(green):
    example = counterexample("disjoint", SAME_CID_ALL, 2, 1, (0, 0, 1))
    queue = MessageQueue("T", "broker-a", 2**60)
    consumers = tuple(replace(consumer, mq_all=(queue,)) for consumer in example.group.consumers)
    example = replace(example, group=replace(example.group, queues=(queue,), consumers=consumers))
    (state,) = trace(green.claims[0], example)["states"]
    assert state["queues"][0]["id"] == {"#bigint": str(2**60)}


def test_comparison_is_a_trace_of_two_states(green):
    example = smallest_of("clients.hash+hash-go.same")
    document = trace(green.claims[0], example)
    before, after = document["states"]
    assert [state["#meta"]["index"] for state in (before, after)] == [0, 1]
    assert (before["side"], after["side"]) == ("when run by the Go client", "when run by the Java or Rust client")
    assert [consumer["result"] for consumer in before["consumers"]] == [[0], []]
    assert [consumer["result"] for consumer in after["consumers"]] == [[], [0]]
    assert before["consumers"][0]["strategy"] == "CONSISTENT_HASH of the Go client"
    assert before["notes"][0].startswith("Hash values in the Java or Rust client")
    assert all(set(state) == {"#meta", *document["vars"]} for state in (before, after))


def test_two_stage_change_is_a_trace_of_three_states(green):
    states = trace(green.claims[0], smallest_of("joins.avg.once"))["states"]
    assert [state["side"] for state in states] == ["at first", "before c0 joins", "after c0 has joined"]
    assert [[consumer["clientId"] for consumer in state["consumers"]] for state in states] == [
        ["c2"],
        ["c1", "c2"],
        ["c0", "c1", "c2"],
    ]


def test_state_before_a_join_is_first(green):
    before, after = trace(green.claims[0], joined(AVG, 2, 1, 1))["states"]
    assert [len(state["consumers"]) for state in (before, after)] == [1, 2]
