"""Runs of members and a broker, in words, step by step."""

import pytest

from rebalance_proofs.proofs.subscriptions.claims import claims
from rebalance_proofs.report.subscriptions.kind import SUBSCRIPTIONS
from rebalance_proofs.report.subscriptions.places import PLACES

REFUTED = [claim for claim in claims() if not claim.holds]


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_whose_run_it_is(claim):
    example = SUBSCRIPTIONS.smallest(claim)
    plural = "" if example.departures == 1 else "s"
    assert SUBSCRIPTIONS.size(example) == f"1 member, 1 topic, {example.departures} action{plural}"


def test_what_holds_has_no_run():
    held = next(claim for claim in claims() if claim.holds)
    with pytest.raises(LookupError, match="a member does not come to that in 9 ticks"):
        SUBSCRIPTIONS.smallest(held)


def test_every_world_has_words():
    assert all(PLACES.when(claim).startswith(("when ", "whatever ", "even if ")) for claim in claims())


def story(name: str) -> tuple[str, ...]:
    (claim,) = (claim for claim in REFUTED if claim.id == name)
    return SUBSCRIPTIONS.lines(claim, SUBSCRIPTIONS.smallest(claim))


def test_the_run_in_which_heartbeat_v2_never_brings_the_new_version():
    assert story("subscriptions.java_v5_1_3_heartbeat_v2.accepted")[1:] == (
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
    assert story("subscriptions.java_v4_9_to_v5_3.own-tags.without-same-tags")[1:] == (
        "0.001 s: A heartbeat of another member comes, which subscribes to it with another tag, in the newest version.",
        "0.001 s: A pull of the member's comes: it is let through.",
        "A pull of the member's skips a message that its own expression takes.",
    )


def test_a_first_pull_that_is_put_off_is_told_for_how_long():
    begin, *steps = story("subscriptions.java_v5_0_to_v5_3.first-pull.without-soon")
    assert begin == (
        "A member whose first heartbeat has just come, and who subscribes to a topic with a tag: heartbeats are due "
        "every 30 s, one to all brokers takes at most 3 s, a refused pull comes again within 1 s, the first pull of a "
        "queue is put off for 0.5 s."
    )
    assert steps[1] == "0.501 s: The first pull of a queue comes that the member has added: it is refused."
