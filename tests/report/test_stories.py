"""Stories on pages of the docs."""

import pytest

from rebalance_proofs.report.findings.page import told


def test_a_story_is_a_numbered_list():
    assert told("transition.java_v5_2.unsubscribed-offset").splitlines()[:2] == [
        "1. Java 5.2 and later, a push consumer.",
        "2. It holds queue 0 of T.",
    ]


def test_a_story_of_no_claim_is_refused():
    with pytest.raises(LookupError, match="tells of transition"):
        told("transition.java_v6.kept")
