"""Encodings built from the truth values of owning each queue, against a list."""

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.worlds.sized import encoding_of, sized_member

VIEW = (z3.IntVal(99), z3.IntVal(98), z3.IntVal(97))
"""q, c and index, which nothing depends on."""


def integer(term):
    return z3.simplify(term).as_long()


@given(st.lists(st.booleans(), min_size=1, max_size=8))
def test_set_and_list_are_the_owned_positions_in_order(owned):
    encoding = encoding_of(list(map(z3.BoolVal, owned)))
    listed = [position for position, has in enumerate(owned) if has]
    assert integer(encoding.count(*VIEW)) == len(listed)
    for position in range(-1, len(owned) + 1):
        assert z3.is_true(z3.simplify(encoding.owns(*VIEW, z3.IntVal(position)))) == (position in listed)
    for k in range(-1, len(owned) + 1):
        expected = listed[k] if 0 <= k < len(listed) else -1
        assert integer(encoding.element(*VIEW, z3.IntVal(k))) == expected
    for k, position in enumerate(listed):
        assert integer(encoding.rank(*VIEW, z3.IntVal(position))) == k


def test_outside_there_is_no_rank():
    encoding = encoding_of([z3.BoolVal(True)])
    assert [integer(encoding.rank(*VIEW, z3.IntVal(position))) for position in (-1, 0, 1)] == [-1, 0, -1]


def test_what_is_owned_may_be_unknown():
    first, second = z3.Bools("first second")
    count = encoding_of([first, second]).count(*VIEW)
    solver = z3.Solver()
    solver.add(count == 2, z3.Not(z3.And(first, second)))
    assert solver.check() == z3.unsat


@pytest.mark.parametrize(("position", "owns"), [(0, False), (1, True), (2, False), (-1, False), (3, False)])
def test_a_member_owns_the_position_in_question(position, owns):
    here = z3.Int("p")
    member = sized_member([z3.BoolVal(place == 1) for place in range(3)], 2, 1, here)
    assert [integer(term) for term in (member.queues, member.consumers, member.index)] == [3, 2, 1]
    owned = z3.simplify(z3.substitute(member.owns, (here, z3.IntVal(position))))
    assert z3.is_true(owned) is owns
