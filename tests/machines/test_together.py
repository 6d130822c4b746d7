"""States of explorations as numbers: distinct states have distinct numbers, each within its range."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.machine.compiled import mattering
from rebalance_proofs.proofs.machine.declared import configured
from rebalance_proofs.proofs.machine.kind import together
from rebalance_proofs.proofs.ordered.two import CONFIGURATION
from tests.golden.searches import OF

ORDERED, OFFSETS = select(["ordered.go.exclusive.without-shutdown", "offsets.java_v5.once"])
EXPLORED = {
    "offsets": together(configured("offsets", OFFSETS), OFFSETS.subjects[0].encoding, OFFSETS),
    "ordered": together(CONFIGURATION, ORDERED.subjects[0].encoding, ORDERED),
}

FIRST = {claim.kind: claim for claim in reversed(LEDGER) if claim.kind in OF and not claim.holds}


def rows_of(of):
    """Rows within the ranges that are explored, some with the numbers that stand for none."""
    columns = []
    for place, (least, most) in enumerate(zip(of._least.tolist(), of._most.tolist(), strict=True)):
        numbers = st.integers(least, most)
        columns.append(numbers | st.just(of._nones[place]) if place in of._nones else numbers)
    return st.tuples(*columns)


@pytest.mark.parametrize("name", EXPLORED)
@given(data=st.data())
def test_different_states_have_different_numbers(name, data):
    of = EXPLORED[name]
    one = data.draw(rows_of(of))
    places = data.draw(st.sets(st.integers(0, len(one) - 1), max_size=3))
    other = tuple(
        new if place in places else old
        for place, (old, new) in enumerate(zip(one, data.draw(rows_of(of)), strict=True))
    )
    keys = of.packed(np.array([one, other], dtype=np.int64))
    assert bool(keys[0] == keys[1]) == (one == other)


def test_missing_value_is_encoded_after_the_greatest_number():
    of = EXPLORED["offsets"]
    assert of._nones
    for place, none in of._nones.items():
        greatest = [of._nones.get(at, most) for at, most in enumerate(of._most.tolist())]
        last, behind = of._most.copy(), of._most.copy()
        last[:place] = greatest[:place]
        behind[:place], behind[place] = of._least[:place], none
        before, after = of.packed(np.array([last, behind], dtype=np.int64)).tolist()
        assert after == before + 1


@pytest.mark.parametrize("claim", FIRST.values(), ids=FIRST)
def test_changed_number_stays_in_its_range(claim):
    configuration = OF[claim.kind](claim)
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
