"""Relevance of claims by client and mode, as the page's script reads it."""

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.report.concerns import DIGITS, concerned, strategies
from rebalance_proofs.report.kinds import KINDS
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.subjects import covers
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked
from rebalance_proofs.report.text.grouped import Once
from tests.report.test_kinds import CLAIM, SHOWN


def _said(claim, release, mode):
    place = RELEASES.index(release) * DIGITS
    return bool(int(concerned(claim)[place : place + DIGITS], 16) >> MODES.index(mode) & 1)


def test_each_bit_is_an_answer():
    names = ["ordered.java_v5_2.exclusive", "transition.java_v5_0.kept.push", "allocation.hash-go.disjoint"]
    for claim in select(names):
        assert len(concerned(claim)) == DIGITS * len(RELEASES)
        for release in RELEASES:
            for mode in MODES:
                assert _said(claim, release, mode) == covers(claim, Asked(release, mode)), (claim.id, release, mode)


def test_every_claim_concerns_some_client():
    assert [claim.id for claim in LEDGER if not int(concerned(claim), 16)] == []


def test_claim_of_a_new_kind_concerns_every_client(monkeypatch):
    monkeypatch.setitem(KINDS, "invented", SHOWN)
    assert all(_said(CLAIM, release, mode) for release in RELEASES for mode in MODES)
    assert strategies(CLAIM) == ()


def test_equal_texts_are_written_once():
    found = Once({"a": "x", "b": "y", "c": "x"})
    assert (found.texts, [found.number(name) for name in "abc"]) == (("x", "y"), [0, 1, 0])
    claims = select(["allocation.avg.*"])
    assert len(Once({claim.id: concerned(claim) for claim in claims}).texts) < len(claims)


def test_strategies_are_named_as_in_the_settings():
    (claim,) = select(["allocation.hash-go.disjoint"])
    assert strategies(claim) == ("CONSISTENT_HASH",)
    assert strategies(select(["topics.avg-per-topic.tilt"])[0]) == ("AVG",)
    every = {name for claim in LEDGER for name in strategies(claim)}
    assert every == {strategy.rocketmq_name for strategy in ALL}
    assert strategies(select(["ordered.java_v5_2.exclusive"])[0]) == ()
