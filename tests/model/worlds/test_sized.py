"""Encodings built from one truth value per queue, compared with a list."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.model.worlds.settings import encoding_of, sized_member

VIEW = (smt.IntVal(99), smt.IntVal(98), smt.IntVal(97))
"""q, c and index, which nothing depends on."""


def integer(term):
    return simplify(term).number


@given(st.lists(st.booleans(), min_size=1, max_size=8))
def test_encoding_lists_the_owned_positions_in_order(owned):
    encoding = encoding_of(list(map(smt.BoolVal, owned)))
    listed = [position for position, has in enumerate(owned) if has]
    assert integer(encoding.count(*VIEW)) == len(listed)
    for position in range(-1, len(owned) + 1):
        assert smt.is_true(simplify(encoding.owns(*VIEW, smt.IntVal(position)))) == (position in listed)
    for k in range(-1, len(owned) + 1):
        expected = listed[k] if 0 <= k < len(listed) else -1
        assert integer(encoding.element(*VIEW, smt.IntVal(k))) == expected
    for k, position in enumerate(listed):
        assert integer(encoding.rank(*VIEW, smt.IntVal(position))) == k


def test_position_outside_has_no_rank():
    encoding = encoding_of([smt.BoolVal(True)])
    assert [integer(encoding.rank(*VIEW, smt.IntVal(position))) for position in (-1, 0, 1)] == [-1, 0, -1]


def test_ownership_may_be_unknown():
    first, second = map(smt.Bool, ("first", "second"))
    count = encoding_of([first, second]).count(*VIEW)
    solver = Solver()
    solver.add(count == 2, smt.Not(smt.And(first, second)))
    assert solver.check() == unsat


@pytest.mark.parametrize(("position", "owns"), [(0, False), (1, True), (2, False), (-1, False), (3, False)])
def test_member_owns_the_position(position, owns):
    here = smt.Int("p")
    member = sized_member([smt.BoolVal(place == 1) for place in range(3)], 2, 1, here)
    assert [integer(term) for term in (member.queues, member.consumers, member.index)] == [3, 2, 1]
    owned = simplify(smt.substitute(member.owns, (here, smt.IntVal(position))))
    assert smt.is_true(owned) is owns
