"""Rows of copies keep to the range of numbers that is explored."""

import pytest

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.machine.compiled import mattering
from rebalance_proofs.proofs.machine.exploration import together
from tests.golden.searches import OF

FIRST = {claim.kind: claim for claim in reversed(LEDGER) if claim.kind in OF and not claim.holds}


@pytest.mark.parametrize("claim", FIRST.values(), ids=FIRST)
def test_a_number_that_was_changed_is_in_the_range_again(claim):
    configuration = OF[claim.kind](claim.world)
    made = together(configuration, claim.subjects[0].encoding, claim)
    names = [name for name in made._numbers if name not in mattering(configuration)]  # others may be 0 as well
    assert names
    for name in names:
        place = made.place(0, name)
        for beyond, end in ((made._least[place] - 1, made._least[place]), (made._most[place] + 1, made._most[place])):
            if beyond != made._nones.get(place):
                rows = made.start()
                rows[0, place] = beyond
                made._normal(0, [name])(rows)
                assert rows[0, place] == end, name
