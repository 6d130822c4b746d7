"""The ledger's numbers of certified obligations are those of a run over the present texts."""

from dataclasses import replace

import pytest

from rebalance_proofs.proofs.certified.found import Certificate, Certified, digest, wanted
from rebalance_proofs.proofs.certified.recorded import FILE, certified, recorded, texts_of, written
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER

PROVED = [claim for claim in LEDGER if claim.expected is Verdict.PROVED]


def test_each_proved_claim_is_recorded():
    assert [*recorded()] == [claim.id for claim in PROVED]


@pytest.mark.parametrize("some", [PROVED[::12], pytest.param(PROVED, marks=pytest.mark.slow)], ids=["some", "all"])
def test_recorded_run_certified_the_present_texts(some):
    """`make pins NAMES=certified` records a run again, in many minutes."""
    for claim in some:
        texts = wanted(claim)
        assert recorded()[claim.id].share.obligations == len(texts), claim.id
        assert recorded()[claim.id].texts == texts_of(texts.values()), claim.id


def test_changed_text_has_another_digest():
    first, second = "(assert (< x 0))\n", "(assert (< x 1))\n"
    assert len({texts_of([first]), texts_of([second]), texts_of([first, second]), texts_of([second, first])}) == 4
    assert texts_of([f"; a comment\n{first}"]) == texts_of([first])


def test_recorded_file_lists_obligations_without_a_certificate(tmp_path, monkeypatch):
    texts = {"base": "1", "step": "2"}
    found = Certified({"a": texts, "b": {"base": "1"}}, {digest(text): text for text in texts.values()}, 2)
    found.add(digest("1"), Certificate("(...)", 3))
    found.add(digest("2"), Certificate("", reason="cvc5 was ended"))
    file = tmp_path / "recorded.json"
    file.write_text(written(found), encoding="utf-8")
    monkeypatch.setattr("rebalance_proofs.proofs.certified.recorded.FILE", file)
    own = recorded.__wrapped__()
    assert {claim: str(of.share) for claim, of in own.items()} == {"a": "certified: 1 of 2", "b": "certified: 1 of 1"}
    assert own["a"].share.uncertified == {"step": "cvc5 was ended"}


def test_claims_with_the_same_texts_are_not_certified_again(monkeypatch):
    claim, other = LEDGER.named("registry.java_v4_9_to_v5_3.at-once"), LEDGER.named("transition.java_v4_9.changed")
    asked = []

    async def none(texts, options, told):
        asked.extend(name for name, _ in texts)

    monkeypatch.setattr("rebalance_proofs.proofs.certified.produce.certificates", none)
    found = certified([claim, other], {claim.id: recorded()[claim.id]})
    assert found.share(claim.id) == recorded()[claim.id].share
    assert found.share(other.id).certified == 0
    assert asked == [digest(text) for text in wanted(other).values()]
    changed = replace(recorded()[claim.id], texts="another")
    assert certified([claim], {claim.id: changed}).certified == 0


def test_recorded_file_is_written_by_the_same_function():
    """Its lines are a claim each, so that a change names the claim."""
    assert FILE.read_text(encoding="utf-8").count("\n") == len(PROVED) + 2
