"""Explorations compared with claims that traces can break."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace

import pytest

from rebalance_proofs.model.machine.run import Happens
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.timed_search import LookingAtRuns
from rebalance_proofs.spark_enum.explorer.store import EXPLORED
from rebalance_proofs.spark_enum.kinds import KINDS

NOTHING = Happens(0, "nothing")
COMPARED, NOT_COMPARED = (
    SimpleNamespace(of=lambda *kinds, found=found: () if EXPLORED in kinds else found) for found in ((True,), ())
)
HELD = (
    "ordered.java_v5_2.exclusive",
    "offsets.java_v5.not-skipped",
    "pulls.java_v5_3_3.dies",
    "settling.java_v5_2_to_v5_3.woken",
    "subscriptions.java_v4_9_to_v5_3.calm",
    "registry.java_v5_2_to_v5_3.anew",
)
FAIL = (
    "ordered.java_v5_2.exclusive.without-time",
    "offsets.java_v5.once",
    "pulls.java_v5_3_3.only-lost",
    "settling.java_v4_9_to_v5_1.apart",
    "subscriptions.java_v4_9_to_v5_3.calm.without-alike",
    "registry.java_v4_9_to_v5_3.once.without-order",
)
CLAIMS = {claim.id: claim for claim in LEDGER}


def said(claim, enumerated=COMPARED):
    return KINDS[claim.kind].against(claim, enumerated, None)


@pytest.mark.parametrize("name", [*HELD, *FAIL])
def test_claim_with_its_expected_result_is_not_contradicted(name):
    assert said(CLAIMS[name]) == []


@pytest.mark.parametrize("name", FAIL)
def test_run_that_breaks_a_claim_contradicts_it(name):
    (sentence,) = said(replace(CLAIMS[name], holds=True))
    assert sentence.endswith(" actions")


@pytest.mark.parametrize("name", HELD)
def test_refuted_claim_without_a_breaking_run_is_contradicted(name):
    (sentence,) = said(replace(CLAIMS[name], holds=False))
    assert sentence.startswith("expected to fail, but ")


@pytest.mark.parametrize("name", [*HELD, *FAIL])
def test_uncompared_code_contradicts_nothing(name):
    turned = replace(CLAIMS[name], holds=name in FAIL)
    assert said(turned, NOT_COMPARED) == []


def test_claim_that_is_only_proved_is_not_searched():
    assert said(replace(CLAIMS["ordered.java_v5_2.let-go"], holds=False)) == []


@pytest.mark.parametrize("name", [*HELD, *FAIL])
def test_run_explored_while_judging_is_used(name):
    claim, length = CLAIMS[name], 99
    none, one = (ClaimResult(claim, claim.expected, "", explored=(NOTHING,) * count) for count in (0, length))
    against = KINDS[claim.kind].against
    if claim.holds:
        assert against(claim, COMPARED, none) == []
        (sentence,) = against(claim, COMPARED, one)
        assert sentence.endswith(f" in {length} actions")
    else:
        assert against(claim, COMPARED, one) == []
        (sentence,) = against(claim, COMPARED, none)
        assert sentence.startswith("expected to fail, but ")


def test_runs_are_explored_while_a_claim_that_holds_is_judged(monkeypatch):
    """Otherwise nothing would report that there is no run, and nothing else would differ."""
    found = (NOTHING,) * 3
    monkeypatch.setattr(LookingAtRuns, "explored", lambda looking: found)
    (claim,) = select(["settling.java_v5_2_to_v5_3.woken"])
    for explore in (True, False):
        (result,) = asyncio.run(prove([claim], Options(width=False, teeth=False, explore=explore)))
        assert result.verdict is Verdict.PROVED
        assert result.explored == (found if explore else None)
