"""The claims about growth, judged by both solvers, and their smallest counterexamples."""

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.growth.claims import claims
from tests.each import each
from tests.proofs.judged import assert_as_expected

CLAIMS = {claim.id: claim for claim in claims()}
REFUTED = ("growth.avg.steady", "growth.circle.steady", "growth.room.steady")


@pytest.fixture(scope="module")
def judged(proved):
    """Results by claim id."""
    return {name: proved[name] for name in CLAIMS if name in proved}


def test_growth_claims_are_listed():
    assert list(CLAIMS) == [
        "growth.avg.steady",
        "growth.avg.sides",
        "growth.avg.appended",
        "growth.avg.prepended",
        "growth.circle.steady",
        "growth.circle.turned",
        "growth.room.steady",
        "growth.hash.steady",
    ]
    for name, claim in CLAIMS.items():
        assert claim.expected is (Verdict.REFUTED if name in REFUTED else Verdict.PROVED)


@each("name", CLAIMS, within="judged")
def test_growth_claims_are_proved_by_both_solvers(name, judged):
    assert_as_expected(judged[name])


@each("name", REFUTED, within="judged")
def test_smallest_growth_counterexample_has_two_consumers(name, judged):
    found = judged[name].search.counterexample
    assert (found.consumers, found.queues, found.values) == (2, 2, (0, 0))
    assert found.sentence == "queue 1 goes from c0 to c1."
