"""The code's results for several topics in place of the encoding."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.topics import STRATEGIES
from rebalance_proofs.model.topics.encoding import TopicsEncoding
from rebalance_proofs.proofs.allocation.observed import observed
from rebalance_proofs.proofs.named import number

each_strategy = pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)


@each_strategy
@given(data=st.data(), so_far=st.integers(0, 9), q=st.integers(1, 9), c=st.integers(1, 5), before=st.integers(-3, 9))
def test_observed_loads_equal_the_encoding(strategy, data, so_far, q, c, before):
    index = data.draw(st.integers(0, c - 1), "index")
    seen, terms = observed(strategy), [smt.IntVal(value) for value in (before, so_far, q, c, index)]
    assert isinstance(seen, TopicsEncoding)
    assert number(seen.load(*terms)) == number(strategy.encoding.load(*terms))


@each_strategy
def test_observed_loads_are_computed_by_the_code(strategy):
    """Over topics in one list; the encoding's flag alone would not be enough."""
    terms = [smt.IntVal(value) for value in (7, 3, 3, 2, 0)]
    expected = 7 + 2 if strategy.encoding.per_topic else 3
    assert number(observed(strategy).load(*terms)) == expected


@each_strategy
def test_observed_one_list_parts_exist(strategy):
    view, e = [smt.IntVal(value) for value in (5, 2, 1)], observed(strategy)
    count = number(e.count(*view))
    elements = [number(e.element(*view, smt.IntVal(k))) for k in range(count)]
    assert [p for p in range(5) if smt.is_true(e.owns(*view, smt.IntVal(p)))] == elements
    assert [number(e.rank(*view, smt.IntVal(p))) for p in elements] == list(range(count))
