"""Traces on pages of the docs."""

import pytest

from rebalance_proofs.report.findings.page import told


def test_trace_begins_with_its_initial_state_and_numbers_its_steps():
    assert told("transition.java_v5_2.unsubscribed-offset").splitlines()[:4] == [
        "Java 5.2 to 5.4.0, a push consumer. It holds queue 0 of T.",
        "",
        "1. The user unsubscribes from T, and the client rebalances.",
        "2. The client removes the process queue from its table, and marks it as dropped.",
    ]


def test_trace_of_an_unknown_claim_is_refused():
    with pytest.raises(LookupError, match="shows transition"):
        told("transition.java_v6.kept")
