"""Runs of one queue's pull requests, in words, step by step, and for tools."""

import pytest

from rebalance_proofs.model.pulls.clients import CLIENTS
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.pulls.claims import claims
from rebalance_proofs.proofs.pulls.inductive import ACTIONS
from rebalance_proofs.proofs.pulls.run import Seen
from rebalance_proofs.proofs.pulls.schedule import choices
from rebalance_proofs.report.pulls.kind import PULLS
from rebalance_proofs.report.pulls.story import deed, requests
from tests.report.runs_shown import assert_shown

REFUTED = [claim for claim in claims() if not claim.holds]


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_a_run_can_be_shown(claim):
    example = assert_shown(PULLS, claim)
    assert PULLS.size(example).startswith("1 consumer, 1 queue, ")


def test_what_holds_has_no_run():
    held = next(claim for claim in claims() if claim.holds)
    with pytest.raises(LookupError, match="a consumer does not come to that in 10 actions"):
        PULLS.smallest(held)


def test_every_action_of_a_run_has_words_whatever_it_leaves_open():
    for client in CLIENTS:
        for name in ACTIONS:
            for said in choices(name):
                for there in (False, True):
                    seen = Seen(Happens(0, name, said), there, there, 1, 0, 0, 0, 0, 0, ended=there)
                    for before in (None, seen):
                        words = deed(client, seen, before)
                        assert words[0].isupper()
                        assert not words.endswith(".")


def test_requests_are_told_by_where_they_are():
    assert requests(0, 0, 0) == "none"
    assert requests(1, 1, 1) == "1 waits, 1 sent, 1 task"
    assert requests(2, 0, 3) == "2 wait, 3 tasks"


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
