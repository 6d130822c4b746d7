"""Runs of one queue's pull requests, in words."""

import pytest

from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.report.kinds import KINDS as SHOWN

PULLS, CLAIMS = SHOWN["pulls"], KINDS["pulls"].claims()

REFUTED = [claim for claim in CLAIMS if not claim.holds]


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_size_names_the_consumer_and_the_queue(claim):
    assert PULLS.size(PULLS.smallest(claim)).startswith("1 consumer, 1 queue, ")


def test_claim_that_holds_has_no_run():
    held = next(claim for claim in CLAIMS if claim.holds)
    with pytest.raises(LookupError, match="a consumer does not reach this in 10 actions"):
        PULLS.smallest(held)


def test_story_of_a_pull_for_a_removed_entry():
    (claim,) = (claim for claim in REFUTED if claim.id == "pulls.java_v5_3_3.dies.without-query")
    assert PULLS.lines(claim, PULLS.smallest(claim))[1:] == (
        "1. A rebalance adds the queue with a new process queue and a pull request.",
        "2. `PullMessageService` takes the pull request and queries the offset at which to start the ordered queue.",
        "3. A rebalance removes the process queue, because the queue now belongs to another consumer.",
        "4. The broker returns the offset, and the pull is sent, although its process queue is gone.",
        "A pull has begun for a removed process queue.",
    )


def test_story_of_a_repair_that_removes_the_next_entry():
    (claim,) = (claim for claim in REFUTED if claim.id == "pulls.java_v4_9_to_5_1.hits-own-entry")
    assert PULLS.lines(claim, PULLS.smallest(claim)) == (
        "One consumer takes one queue. A process queue without a pull for 120,000 ms is overdue.",
        "1. A rebalance adds the queue with a new process queue and a pull request.",
        "2. `PullMessageService` takes the pull request and sends it to the broker.",
        "3. The broker reports an illegal offset: the process queue is dropped and a repair task is scheduled.",
        "4. A rebalance removes the process queue, because the queue now belongs to another consumer.",
        "5. A rebalance adds the queue with a new process queue and a pull request.",
        "6. Ten seconds after the answer, the repair task writes the queue's offset and removes its current "
        "process queue, which is a newer one.",
        "The repair has removed the queue's next process queue.",
    )
