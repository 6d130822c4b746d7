"""Premises of obligations about allocation still allow the pinned smallest numbers."""

from dataclasses import replace

from rebalance_proofs.proofs.obligation import Statement
from tests.pins.changes import told
from tests.pins.table import PINS
from tests.proofs.premises_allow import asked, least


def test_assumptions_allow_the_pinned_least_numbers():
    pin = PINS["least_numbers"]
    changes = told(pin, pin.computed())
    assert not changes, changes


def test_narrower_assumption_is_detected():
    name = "movement / apart"
    obligation, encoding = asked()[name]

    def narrower(about, v):
        statement = obligation.state(about, v)
        return Statement({**statement.given, "at least one consumer": v.c >= 2}, statement.then)

    before = least({name: (obligation, encoding)})[name]
    after = least({name: (replace(obligation, state=narrower), encoding)})[name]
    assert (before["c"], after["c"]) == (1, 2)
