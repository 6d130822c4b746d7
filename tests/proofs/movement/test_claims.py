"""Claims about movement, judged by both solvers; counterexamples and bounds compared with brute force."""

from itertools import product

import pytest

from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.claim import EXISTS, UNBOUNDED, Verdict
from rebalance_proofs.proofs.movement.claims import claims
from tests.each import each
from tests.proofs.judged import assert_as_expected

CLAIMS = {claim.id: claim for claim in claims()}
REFUTED = ("movement.avg.monotone", "movement.circle.monotone")


@pytest.fixture(scope="module")
def judged(proved):
    """Results by claim id."""
    return {name: proved[name] for name in CLAIMS if name in proved}


def test_movement_claims_are_listed():
    assert list(CLAIMS) == [
        "movement.avg.monotone",
        "movement.avg.shrink",
        "movement.avg.shift",
        "movement.avg.moved",
        "movement.avg.bound",
        "movement.avg.attained",
        "movement.circle.monotone",
        "movement.circle.shrink",
        "movement.circle.kept",
        "movement.circle.apart",
        "movement.circle.reshuffle",
    ]
    for name, claim in CLAIMS.items():
        assert claim.world is JOINS
        assert (claim.expected, claim.scope) == (
            (Verdict.REFUTED, EXISTS) if name in REFUTED else (Verdict.PROVED, UNBOUNDED)
        )
        assert claim.sentence.startswith(f"{claim.subjects[0].rocketmq_name}: ")


@each("name", CLAIMS, within="judged")
def test_movement_claims_are_proved_by_both_solvers(name, judged):
    assert_as_expected(judged[name])


@each("name", REFUTED, within="judged")
def test_smallest_movement_counterexample_equals_brute_force(name, judged):
    """Fewest consumers, then fewest queues, then the first position, counted from owners only."""
    owner = {
        "movement.avg.monotone": lambda q, n, p: next(i for i in range(n) if p < -(-q * (i + 1) // n)),
        "movement.circle.monotone": lambda q, n, p: p % n,
    }[name]

    def gains(n, q, joiner):
        moves = ((owner(q, n - 1, p), owner(q, n, p)) for p in range(q))
        return any(after not in (joiner, before + (before >= joiner)) for before, after in moves)

    found = judged[name].search.counterexample
    sizes = ((n, q, joiner) for n, q in product(range(2, 5), range(1, 7)) for joiner in range(n) if gains(n, q, joiner))
    assert (found.consumers, found.queues, *found.values) == next(sizes) == (3, 2, 0)
    assert found.sentence == "c1 gains queue 1 when c0 joins."
