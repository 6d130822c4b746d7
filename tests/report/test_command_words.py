"""Claims in the command's output: user-facing names, grouped."""

from dataclasses import replace

import pytest

from rebalance_proofs.cli.list_ import lines
from rebalance_proofs.cli.worded import claim_line, story_lines
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.named import selected
from rebalance_proofs.report.index.entries import entries
from rebalance_proofs.report.kinds import shown
from tests.report.runs import OVERDUE


def told(*patterns: str) -> list[str]:
    return list(lines(selected(patterns, tuple(entries().values()))))


def test_every_claim_has_a_line_below_its_family_heading():
    found = told()
    ids = [line.split()[1] for line in found if line and not line.startswith("#")]
    assert sorted(ids) == sorted(claim.id for claim in LEDGER)
    assert found[0] == "# One topic, all assumptions hold"
    assert "# without distinct-ids: a client id appears twice in cidAll" in found


def test_strategy_with_one_claim_needs_no_empty_line():
    assert "" not in told("allocation.*.disjoint")


def test_heading_says_that_a_claim_does_not_cover_every_queue():
    found = told("allocation.room.covers")
    assert found[1] == "# MACHINE_ROOM (Java): over queues of rooms in consumeridcs"


@pytest.mark.parametrize(
    ("claim_id", "heading", "sentence"),
    [
        ("allocation.avg.disjoint", "", "AVG: No queue is given to two consumers"),
        (
            "clients.hash+hash-go.covers.without-same-client",
            "",
            "CONSISTENT_HASH (Java, Rust with Go): Every queue is given to some consumer, "
            "even if the group mixes clients of different languages",
        ),
        (
            "allocation.hash.covers.without-same-mq-all",
            "without same-mq-all: consumers see different mqAll",
            "CONSISTENT_HASH (Java, Rust): Every queue is given to some consumer",
        ),
        (
            "transition.java_v5_2.listener.push-orderly",
            "listener: a rebalance never unlocks a queue at the broker while its listener runs",
            "Java 5.2 to 5.4.0, push orderly",
        ),
        (
            "transition.java_v5_2.unlocked.push-orderly.when-unlocks-arrive",
            "unlocked: the broker's lock is released exactly when the process queue is removed, if unlocks arrive",
            "Java 5.2 to 5.4.0, push orderly",
        ),
        (
            "transition.java_v4_9+java_v5_0.same.own-store",
            "Java 4.9.8 and Java 5.0 to 5.1.4 end in the same table",
            "custom store",
        ),
    ],
)
def test_claim_has_its_heading_and_sentence(claim_id, heading, sentence):
    (claim,) = select([claim_id])
    assert shown(claim).listed([claim]) == (heading, (sentence,))


def test_shared_condition_is_in_the_heading():
    marked = "transition.java_v4_9.marked.own-store"
    claims = select([marked, f"{marked}.when-persist-works"])
    heading, sentences = shown(claims[0]).listed(claims)
    assert heading == "marked: no queue outside mqSet keeps a process queue that is not dropped"
    own = "Java 4.9.8, custom store"
    assert sentences == (own, f"{own}, if offset persistence never fails")


def test_promises_are_headings():
    found = told("transition.*.kept.*")
    assert found[:3] == [
        "# What a rebalance does to a client's queues",
        "# Real clients: observed",
        "# kept: a queue that stays with this client keeps its process queue",
    ]


def test_story_is_printed_below_the_broken_guarantee(green, transitions):
    told = {result.claim.id: list(story_lines(result)) for result in (*green.claims, *transitions.claims)}
    assert told.pop("transition.java_v5_0.returns.own-store")[-1] == "      The client does nothing."
    assert {claim for claim, lines in told.items() if lines} == {
        OVERDUE,
        "transition.java_v4_9+java_v5_0.same.own-store",
    }


def test_a_counterexample_of_two_clients_names_them(green):
    result = replace(green.claims[-1], reason="c0 takes queue 0 by hash-go, and does not by hash.")
    assert claim_line(result).endswith("c0 takes queue 0 by the Go client, and does not by the Java or Rust client.")
