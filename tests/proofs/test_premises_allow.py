"""Premises of obligations about allocation still allow the pinned smallest numbers."""

import json
from dataclasses import replace

from rebalance_proofs.proofs.obligation import Statement
from tests.proofs.premises_allow import FILE, asked, least, pinned


def test_assumptions_allow_the_pinned_least_numbers():
    assert pinned() == json.loads(FILE.read_text(encoding="utf-8"))


def test_narrower_assumption_is_detected():
    obligation, encoding = asked()["movement / apart"]

    def narrower(about, v):
        statement = obligation.state(about, v)
        return Statement({**statement.given, "at least one consumer": v.c >= 2}, statement.then)

    before, after = least(obligation, encoding), least(replace(obligation, state=narrower), encoding)
    assert (before["c"], after["c"]) == (1, 2)
