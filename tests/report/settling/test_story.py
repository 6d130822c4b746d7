"""Runs of a rebalance thread, in words, step by step, and for tools."""

import pytest

from rebalance_proofs.proofs.settling.claims import claims
from rebalance_proofs.proofs.settling.inductive import ACTIONS
from rebalance_proofs.proofs.settling.schedule import OBSERVES
from rebalance_proofs.report.settling.kind import SETTLING
from rebalance_proofs.report.settling.story import DEEDS
from tests.report.runs_shown import assert_shown

REFUTED = [claim for claim in claims() if not claim.holds]


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_a_run_can_be_shown(claim):
    example = assert_shown(SETTLING, claim)
    assert SETTLING.size(example) == f"1 consumer, {example.departures} actions"


def test_what_holds_has_no_run():
    held = next(claim for claim in claims() if claim.holds)
    with pytest.raises(LookupError, match="the thread does not come to that in 16 ticks"):
        SETTLING.smallest(held)


def test_every_action_has_words():
    assert set(DEEDS) == {*ACTIONS, OBSERVES}


def test_the_run_in_which_a_wake_up_is_lost():
    (claim,) = (claim for claim in REFUTED if claim.id == "settling.java_v5_2_to_v5_3.woken.without-timely")
    assert SETTLING.lines(claim, SETTLING.smallest(claim)) == (
        "One client: the thread waits for 20 s, a rebalance takes at most 3 s, two of them are apart by at least 1 s.",
        "0.000 s: What the client is told when it asks changes.",
        "0.000 s: The thread looks whether it was woken: it was not.",
        "0.000 s: The client is notified of that: its flag is set.",
        "0.000 s: The wake-up opens the latch.",
        "0.000 s: It resets its latch, and begins to wait.",
        "7.001 s: One looks at the client's tables.",
        "7.001 s after the notification no rebalance has seen the change.",
    )
