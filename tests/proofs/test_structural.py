"""Claims that hold by construction or follow from others, computed with uninterpreted encodings."""

import pytest

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.structural import FOLLOWS, STRUCTURAL
from tests.proofs.free import free, holds_whatever_the_encoding, implied

PROVED = {claim.id: claim for claim in LEDGER if claim.expected is Verdict.PROVED}
ABOUT_GROUPS = {name: claim for name, claim in PROVED.items() if isinstance(claim.world, Groups)}
"""Those whose encodings can be replaced by free functions, part by part."""

MOST = 13
"""So many of them hold by construction. The number may only become smaller: give a new claim content instead."""


def test_exactly_the_structural_claims_are_marked():
    found = {name for name, claim in ABOUT_GROUPS.items() if holds_whatever_the_encoding(claim)}
    assert found == {name for name in STRUCTURAL if name in ABOUT_GROUPS}


def test_list_of_structural_claims_only_becomes_shorter():
    assert len({*STRUCTURAL} & {*ABOUT_GROUPS}) <= MOST


def test_only_proved_claims_are_marked_once():
    assert {*STRUCTURAL, *FOLLOWS} <= {*PROVED}
    assert not {*STRUCTURAL} & {*FOLLOWS}
    assert all(why and why[0].islower() and not why.endswith(".") for why in STRUCTURAL.values())


@pytest.mark.parametrize("name", [name for name in FOLLOWS if name in ABOUT_GROUPS])
def test_derived_claim_follows_for_any_functions(name):
    claim, others = PROVED[name], [PROVED[other] for other in FOLLOWS[name].claims]
    encoding = free(claim.subjects[0].encoding)
    known = [step.statement(encoding) for other in others for step in other.obligations]
    about_i = [smt.Implies(smt.And(*statement.given.values()), statement.then) for statement in known]
    implications = [*about_i, *(smt.substitute(formula, (smt.Int("i"), smt.Int("j"))) for formula in about_i)]
    assert others
    assert name not in FOLLOWS[name].claims
    assert all(implied(implications, step.statement(encoding)) for step in claim.obligations)


def test_derived_claims_do_not_build_on_each_other():
    assert not {other for follows in FOLLOWS.values() for other in follows.claims} & {*FOLLOWS}


def test_claim_without_new_queries_is_marked():
    seen: list[frozenset[str]] = []
    for name, claim in ABOUT_GROUPS.items():
        asked = frozenset(texts.proof("any", step, claim.subjects[0].encoding) for step in claim.obligations)
        if any(asked <= earlier for earlier in seen):
            assert name in STRUCTURAL or name in FOLLOWS, name
        seen.append(asked)


def test_structural_claims_have_no_mutants():
    for name, claim in ABOUT_GROUPS.items():
        assert bool(claim.mutants) is (name not in STRUCTURAL), name
