"""Runs of members and a broker, in words, step by step."""

import pytest

from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.report.kinds import KINDS as SHOWN

SUBSCRIPTIONS, CLAIMS = SHOWN["subscriptions"], KINDS["subscriptions"].claims()

REFUTED = [claim for claim in CLAIMS if not claim.holds]


@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_size_names_the_group(claim):
    example = SUBSCRIPTIONS.smallest(claim)
    plural = "" if example.departures == 1 else "s"
    assert SUBSCRIPTIONS.size(example) == f"1 member, 1 topic, {example.departures} action{plural}"


def test_claim_that_holds_has_no_run():
    held = next(claim for claim in CLAIMS if claim.holds)
    with pytest.raises(LookupError, match="a member does not reach this in 9 ticks"):
        SUBSCRIPTIONS.smallest(held)


def test_every_world_has_its_condition():
    told = [claim.world.row for claim in CLAIMS if not claim.world.dropped]
    assert all(row.startswith(("if ", "whatever ", "even if ")) for row in told)


def story(name: str) -> tuple[str, ...]:
    (claim,) = (claim for claim in REFUTED if claim.id == name)
    return SUBSCRIPTIONS.lines(claim, SUBSCRIPTIONS.smallest(claim))


def test_story_of_heartbeat_v2_that_never_sends_the_new_version():
    assert story("subscriptions.java_v5_1_3_heartbeat_v2.accepted")[1:] == (
        "30.000 s: A periodic heartbeat of the member is due: it starts to send heartbeats.",
        "30.000 s: The member's queue table changes and the member raises its version: another heartbeat has the "
        "lock, so it sends none.",
        "30.000 s: The member sends its heartbeat to this broker, without the subscriptions.",
        "30.000 s: The member's heartbeat reaches the broker.",
        "30.000 s: The member's heartbeat to all brokers ends.",
        "60.000 s: A periodic heartbeat of the member is due: it starts to send heartbeats.",
        "60.000 s: The member sends its heartbeat to this broker, without the subscriptions.",
        "60.000 s: The member's heartbeat reaches the broker.",
        "60.000 s: The member's heartbeat to all brokers ends.",
        "66.001 s: A pull of the member arrives: the broker refuses it.",
        "36.001 s after the member's queue table changed, the broker refuses a pull of the member.",
    )


def test_story_of_another_tag_that_wins():
    assert story("subscriptions.java_v4_9_to_v5_3.own-tags.without-same-tags")[1:] == (
        "0.001 s: A heartbeat of another member arrives, which subscribes to the topic with another tag, in the newest "
        "version.",
        "0.001 s: A pull of the member arrives: the broker accepts it.",
        "A pull of the member skips a message that matches its own expression.",
    )


def test_delayed_first_pull_is_described_with_its_delay():
    begin, *steps = story("subscriptions.java_v5_0_to_v5_3.first-pull.without-soon")
    assert begin == (
        "One member, which has just registered, subscribes to a topic with a tag. Limits: heartbeats are due every "
        "30 s, one round takes at most 3 s, a refused pull is retried within 1 s, a first pull waits for 0.5 s."
    )
    assert steps[1] == "0.501 s: The first pull of a queue that the member has added arrives: the broker refuses it."
