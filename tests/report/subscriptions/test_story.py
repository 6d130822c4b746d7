"""Runs of members and a broker, in words, step by step, and for tools."""

import pytest

from rebalance_proofs.proofs.subscriptions.claims import claims
from rebalance_proofs.proofs.subscriptions.inductive import ACTIONS
from rebalance_proofs.report.subscriptions.kind import SUBSCRIPTIONS
from rebalance_proofs.report.subscriptions.places import when
from rebalance_proofs.report.subscriptions.story import DEEDS
from tests.report.runs_shown import assert_shown

REFUTED = [claim for claim in claims() if not claim.holds]


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_a_run_can_be_shown(claim):
    example = assert_shown(SUBSCRIPTIONS, claim)
    plural = "" if example.departures == 1 else "s"
    assert SUBSCRIPTIONS.size(example) == f"1 member, 1 topic, {example.departures} action{plural}"


def test_what_holds_has_no_run():
    held = next(claim for claim in claims() if claim.holds)
    with pytest.raises(LookupError, match="a member does not come to that in 9 ticks"):
        SUBSCRIPTIONS.smallest(held)


def test_every_action_has_words_and_every_world():
    assert set(DEEDS) == set(ACTIONS)
    assert all(when(claim).startswith(("when ", "whatever ", "even if ")) for claim in claims())


def story(name: str) -> tuple[str, ...]:
    (claim,) = (claim for claim in REFUTED if claim.id == name)
    return SUBSCRIPTIONS.lines(claim, SUBSCRIPTIONS.smallest(claim))[1:]


def test_the_run_in_which_heartbeat_v2_never_brings_the_new_version():
    assert story("subscriptions.java_v5_1_3_heartbeat_v2.accepted") == (
        "30.000 s: A periodic heartbeat of the member is due: its heartbeat begins.",
        "30.000 s: The member's table of queues changes, and it raises its version: the lock is taken, it sends none.",
        "30.000 s: It is sent to this broker, without the subscriptions.",
        "30.000 s: It comes there.",
        "30.000 s: It is over.",
        "60.000 s: A periodic heartbeat of the member is due: its heartbeat begins.",
        "60.000 s: It is sent to this broker, without the subscriptions.",
        "60.000 s: It comes there.",
        "60.000 s: It is over.",
        "66.001 s: A pull of the member's comes: it is refused.",
        "36.001 s after the member's table of queues has changed a pull of the member's is refused.",
    )


def test_the_run_in_which_another_tag_wins():
    assert story("subscriptions.java_v4_9_to_v5_3.own-tags.without-same-tags") == (
        "0.001 s: A heartbeat of another member comes, which subscribes to it with another tag, in the newest version.",
        "0.001 s: A pull of the member's comes: it is let through.",
        "A pull of the member's skips a message that its own expression takes.",
    )
