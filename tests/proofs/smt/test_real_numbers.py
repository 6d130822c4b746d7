"""A false definition or lemma instance is detected with real numbers."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.allocation.amounts import SHARES
from rebalance_proofs.proofs.obligation import Statement
from rebalance_proofs.proofs.smt import linear
from rebalance_proofs.proofs.smt.linear import MONOTONE, linearize
from rebalance_proofs.proofs.texts import tried

x, y, z = smt.Ints("x y z")
FORMULAS = [x / y + x % y >= z, x * y <= z * y]


def test_added_definitions_hold_for_real_numbers() -> None:
    found = linearize(FORMULAS)
    assert not found.exact
    said = tried(found)
    assert said.tried == len(found.definitions) + len(found.lemmas) > 4
    assert not said.false


def test_exact_texts_have_nothing_to_try() -> None:
    assert tried(linearize([x + y <= 3])).tried == 0


def test_wrong_remainder_definition_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """``remainder < y - 1`` is unsound, and most proofs would still be found."""
    found = linearize(FORMULAS)
    remainder = smt.Int("(x mod y)")
    wrong = smt.Implies(y > 0, smt.And(0 <= remainder, remainder < y - 1))
    said = tried(replace(found, definitions=(wrong,)))
    assert "is false at" in said.false
    assert "(x mod y) = " in said.false


@pytest.mark.parametrize(
    "given",
    [
        {"x below y": "x <= y"},
        {"z is not negative": "z >= 0"},
    ],
    ids=str,
)
def test_wrong_lemma_instances_are_detected(given, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong lemma gives wrong instances, which real numbers detect too."""

    def state(encoding: object, v: SimpleNamespace) -> Statement:
        kept = {name: {"x <= y": v.x <= v.y, "z >= 0": v.z >= 0}[said] for name, said in given.items()}
        return Statement(kept, v.x * v.z <= v.y * v.z)

    monkeypatch.setattr(linear, "MONOTONE", replace(MONOTONE, state=state))
    assert tried(linearize(FORMULAS)).false


def test_instances_are_tried_for_every_proof_text() -> None:
    share = SHARES.obligations(AGREED)[0]
    assert texts.instances(share, STRATEGIES[0].encoding).tried > 10
    assert not texts.instances(share, STRATEGIES[0].encoding).false
    assert texts.instances(MONOTONE, STRATEGIES[0].encoding).tried == 0
