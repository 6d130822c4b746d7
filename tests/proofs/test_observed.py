"""What the client's code returns, in the place of the encoding."""

from dataclasses import replace

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from model.allocation import STRATEGIES, Strategy
from model.premises import AGREED
from model.queues import positions_in
from proofs.observed import number, observed

by_name = pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)


@st.composite
def views(draw) -> tuple[int, int, int]:
    c = draw(st.integers(1, 6))
    return draw(st.integers(1, 12)), c, draw(st.integers(0, c - 1))


def numerals(*values: int) -> list[z3.ArithRef]:
    return [z3.IntVal(value) for value in values]


@by_name
@given(views())
def test_the_parts_agree_with_the_encoding_where_it_has_a_meaning(strategy: Strategy, view) -> None:
    seen, written = observed(strategy), strategy.encoding
    terms = numerals(*view)
    count = number(seen.count(*terms))
    assert count == number(written.count(*terms))
    for k in numerals(*range(count)):
        assert number(seen.element(*terms, k)) == number(written.element(*terms, k))
    for p in numerals(*range(-1, view[0] + 1)):
        owns = z3.simplify(seen.owns(*terms, p))
        assert z3.eq(owns, z3.simplify(written.owns(*terms, p)))
        if z3.is_true(owns):
            assert number(seen.rank(*terms, p)) == number(written.rank(*terms, p))
    for p in numerals(*range(view[0])):
        assert number(seen.owner(*terms[:2], p)) == number(written.owner(*terms[:2], p))


@by_name
@pytest.mark.parametrize("k", [-1, 2, 100])
def test_no_element_stands_outside_the_list(strategy: Strategy, k: int) -> None:
    assert number(observed(strategy).element(*numerals(4, 2, 0, k))) == -1


@by_name
def test_what_is_not_owned_has_no_rank(strategy: Strategy) -> None:
    assert number(observed(strategy).rank(*numerals(4, 2, 0, 3))) == -1


def test_what_nobody_takes_has_no_owner() -> None:
    idle = replace(STRATEGIES[0], allocate=lambda current_cid, mq_all, cid_all: [])
    assert number(observed(idle).owner(*numerals(4, 2, 3))) == -1


@by_name
def test_terms_are_evaluated_before_the_code_is_asked(strategy: Strategy) -> None:
    three = z3.IntVal(1) + z3.IntVal(2)
    assert number(observed(strategy).count(three, three - 2, three - 3)) == 3


def test_positions_are_those_of_the_topic() -> None:
    group = AGREED.group(STRATEGIES[:1], 2, 5, ())
    assert [positions_in(group.queues, result) for result in group.allocate()] == [[0, 1, 2], [3, 4]]
