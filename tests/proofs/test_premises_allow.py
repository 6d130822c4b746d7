"""Premises of obligations about allocation allow the least numbers that they allowed before."""

import json
from dataclasses import replace

from rebalance_proofs.proofs.obligation import Statement
from tests.proofs.premises_allow import FILE, asked, least, pinned


def test_no_premise_has_grown_unseen():
    assert pinned() == json.loads(FILE.read_text(encoding="utf-8"))


def test_one_consumer_more_is_noticed():
    obligation, encoding = asked()["movement / apart"]

    def narrower(about, v):
        statement = obligation.state(about, v)
        return Statement({**statement.given, "at least one consumer": v.c >= 2}, statement.then)

    before, after = least(obligation, encoding), least(replace(obligation, state=narrower), encoding)
    assert (before["c"], after["c"]) == (1, 2)
