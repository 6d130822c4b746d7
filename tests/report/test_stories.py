"""Stories on the pages of the documentation."""

import pytest

from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.findings.page import told
from rebalance_proofs.report.ledger.stories import stories


def test_clients_that_do_the_same_are_told_of_together():
    claims = select(["transition.java_*.unsubscribed-offset"])
    heading, story = stories(claims)
    assert heading == (
        "◇ Java 4.9.8, a push consumer; Java 5.0 to 5.1.4, a push consumer; Java 5.2 and later, a push consumer "
        "(1 queue, nothing out of the ordinary):"
    )
    assert story.splitlines()[0] == "1. It holds queue 0 of T."


def test_a_story_is_a_numbered_list():
    assert told("transition.java_v5_2.unsubscribed-offset").splitlines()[:2] == [
        "1. Java 5.2 and later, a push consumer.",
        "2. It holds queue 0 of T.",
    ]


def test_a_story_of_no_claim_is_refused():
    with pytest.raises(LookupError, match="tells of transition"):
        told("transition.java_v6.kept")
