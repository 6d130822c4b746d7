"""Queues that no consumer pulls, as formula and as test of concrete results."""

from dataclasses import replace
from itertools import product

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.premises.strategies import SAME_SUBSCRIPTION
from rebalance_proofs.model.terms.solver import Solver, sat
from rebalance_proofs.proofs.allocation.claims import unread
from rebalance_proofs.proofs.allocation.search import violated
from rebalance_proofs.proofs.allocation.unread import UNREAD
from rebalance_proofs.proofs.claim import Verdict


def given(shares, q, values):
    """Members with these shares, of which some do not subscribe."""

    def allocate(current_cid, mq_all, cid_all):
        return [mq_all[position] for position in shares[cid_all.index(current_cid)]]

    return SAME_SUBSCRIPTION.group((replace(AVERAGELY, allocate=allocate),), len(shares), q, values)


@pytest.mark.parametrize(
    ("shares", "q", "values", "sentence"),
    [
        pytest.param([[0], [1]], 2, (1, 0), None, id="exactly its share"),
        pytest.param([[0], [1]], 2, (0, 0), None, id="all subscribe"),
        pytest.param([[0], [0, 1]], 2, (1, 0), "queue 0 is read, although it is in the share of c0.", id="read"),
        pytest.param(
            [[0], []],
            2,
            (1, 0),
            "queue 1 has no reader, and is in the share of no member that does not subscribe.",
            id="of none",
        ),
        pytest.param(
            [[0], [0], []], 1, (1, 1, 0), "queue 0 has no reader, and is in the share of c0 and c1.", id="twice"
        ),
        pytest.param([[0, 1], []], 2, (1, 0), "The share of c0 has 2 queues, not 1.", id="too large"),
    ],
)
def test_unread_queues_are_named(shares, q, values, sentence):
    assert violated(UNREAD, given(shares, q, values)) == sentence


def test_number_of_unread_queues_equals_the_closed_form():
    for q, c in product(range(1, 9), range(1, 5)):
        for values in SAME_SUBSCRIPTION.all_values(c, q):
            group = SAME_SUBSCRIPTION.group((AVERAGELY,), c, q, values)
            read = sum(map(len, group.allocate()))
            lost = sum(q // c + (place < q % c) for place, silent in enumerate(values) if silent)
            assert q - read == lost
            assert violated(UNREAD, group) is None


@pytest.mark.parametrize("mutant", ["first-two-alike", "no-remainder", "mod-left-out"])
def test_wrong_encoding_violates_unread(mutant):
    (wrong,) = [found.encoding for found in AVERAGELY.mutants if found.name == mutant]
    group = SAME_SUBSCRIPTION.symbolic((wrong,), 3)
    solver = Solver()
    solver.add(*group.constraints, UNREAD.violated(group))
    assert solver.check() == sat


def test_unread_claims_are_listed():
    assert [claim.id.split(".")[1] for claim in unread(STRATEGIES)] == ["avg", "circle", "room"]
    assert {claim.expected for claim in unread(STRATEGIES)} == {Verdict.PROVED}
