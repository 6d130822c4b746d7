"""Mutants that an obligation cannot detect are not tried on it."""

from dataclasses import replace

import pytest

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.mutation.free import asked, untouched

CLAIMS = {claim.id: claim for claim in LEDGER}


@pytest.mark.parametrize(
    "name", ["allocation.avg.disjoint", "offsets.java_v4_9-orderly.not-skipped", "pulls.java_v5_2_0.has-request"]
)
def test_untouched_obligation_has_the_same_text(name):
    claim = CLAIMS[name]
    right = claim.subjects[0]
    found = {
        (obligation.name, mutant.name): obligation.same(right.encoding, mutant.encoding)
        for obligation in claim.obligations
        for mutant in right.mutants
        if untouched(obligation, right.encoding, mutant.encoding)
    }
    assert all(found.values())
    assert found or claim.kind == "allocation"  # whose mutants are made anew, all parts of them


def test_most_actions_are_untouched_by_a_mutant_of_one():
    claim = CLAIMS["offsets.java_v4_9-orderly.not-skipped"]
    right = claim.subjects[0]
    wrong = next(mutant.encoding for mutant in right.mutants if mutant.name == "commits-more")
    touched = {one.name for one in claim.obligations if not untouched(one, right.encoding, wrong)}
    assert touched == {one.name for one in claim.obligations if "commits" in asked(one, right.encoding)}
    assert {"commits", "rely"} <= touched
    assert "adds" not in touched


def test_non_function_counts_as_touched():
    """It is unknown whether it was read."""
    claim = CLAIMS["ordered.java_v4_9_0.exclusive"]
    right = claim.subjects[0].encoding
    wrong = replace(right, rules=replace(right.rules))
    assert not any(untouched(obligation, right, wrong) for obligation in claim.obligations)
