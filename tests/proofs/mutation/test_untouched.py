"""Mutants that an obligation cannot notice are not tried on it."""

from dataclasses import replace

import pytest

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.mutation.untouched import asked, untouched

CLAIMS = {claim.id: claim for claim in LEDGER}


@pytest.mark.parametrize(
    "name", ["allocation.avg.disjoint", "offsets.java_v4_9-orderly.not-skipped", "pulls.java_v5_2_0.has-request"]
)
def test_what_is_untouched_is_said_of_in_the_same_words(name):
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


def test_most_actions_are_untouched_by_what_is_wrong_in_one():
    claim = CLAIMS["offsets.java_v4_9-orderly.not-skipped"]
    right = claim.subjects[0]
    wrong = next(mutant.encoding for mutant in right.mutants if mutant.name == "commits-more")
    touched = {one.name for one in claim.obligations if not untouched(one, right.encoding, wrong)}
    assert touched == {one.name for one in claim.obligations if "commits" in asked(one, right.encoding)}
    assert {"commits", "rely"} <= touched
    assert "adds" not in touched


def test_what_is_no_function_is_never_untouched():
    """Nobody sees whether it was read."""
    claim = CLAIMS["ordered.java_v4_9_0.exclusive"]
    right = claim.subjects[0].encoding
    wrong = replace(right, rules=replace(right.rules))
    assert not any(untouched(obligation, right, wrong) for obligation in claim.obligations)
