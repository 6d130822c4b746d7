"""Claims about ordered consumption for which a trace is searched."""

import pytest

from rebalance_proofs.proofs.kinds import KINDS
from tests.proofs.solvers.pools import Scripted

ORDERED = KINDS["ordered"]


@pytest.mark.parametrize("claim", ORDERED.claims(), ids=lambda claim: claim.id)
def test_run_is_searched_for_claims_about_runs(claim):
    found = list(ORDERED.looking(claim, Scripted([])).sizes())
    if ".exclusive" in claim.id or ".given-back" in claim.id:
        assert bool(found) is (claim.expected.value == "REFUTED")
    else:
        assert found == []
