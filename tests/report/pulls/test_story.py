"""Runs of one queue's pull requests, in words."""

import pytest

from rebalance_proofs.proofs.pulls.claims import claims
from rebalance_proofs.report.pulls.kind import PULLS

REFUTED = [claim for claim in claims() if not claim.holds]


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_whose_run_it_is(claim):
    assert PULLS.size(PULLS.smallest(claim)).startswith("1 consumer, 1 queue, ")


def test_what_holds_has_no_run():
    held = next(claim for claim in claims() if claim.holds)
    with pytest.raises(LookupError, match="a consumer does not come to that in 10 actions"):
        PULLS.smallest(held)


def test_the_run_in_which_a_pull_begins_for_an_entry_that_has_gone():
    (claim,) = (claim for claim in REFUTED if claim.id == "pulls.java_v5_3_3.dies.without-query")
    assert PULLS.lines(claim, PULLS.smallest(claim))[1:] == (
        "1. A rebalance adds the queue: a new entry, and a pull request for it.",
        "2. The pull request is taken, and the broker asked for the offset at which an ordered queue's pulls begin.",
        "3. A rebalance takes the entry out, as the queue is another consumer's now.",
        "4. The offset is answered, and the pull is sent, though its entry has gone.",
        "A pull has begun for an entry that had left the table.",
    )


def test_the_run_in_which_a_repair_takes_the_next_entry_out():
    (claim,) = (claim for claim in REFUTED if claim.id == "pulls.java_v4_9_to_5_1.hits-own-entry")
    assert PULLS.lines(claim, PULLS.smallest(claim)) == (
        "One consumer, which begins to hold a queue. An entry that has not pulled for 120,000 ms is overdue.",
        "1. A rebalance adds the queue: a new entry, and a pull request for it.",
        "2. The pull request is taken, and sent to the broker.",
        "3. The broker answers that there is no such offset: the entry is marked, and a task is to repair that.",
        "4. A rebalance takes the entry out, as the queue is another consumer's now.",
        "5. A rebalance adds the queue: a new entry, and a pull request for it.",
        "6. Ten seconds after the answer the task writes the offset of the queue, and takes its entry out, which is "
        "another one.",
        "The repair has taken the queue's next entry out.",
    )
