"""Kernels compute the values that Z3 gives for their terms."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel, divide, kernel_source
from rebalance_proofs.model.terms.operators import BOOL
from tests.each import each
from tests.model.terms.random_terms import UNKNOWNS, VALUES, booleans, integers, value

x, y, z = smt.Ints(" ".join(UNKNOWNS))
SIGNED = range(-7, 8)


@settings(deadline=None, max_examples=150)
@given(terms=st.tuples(integers(3), booleans(2)), rows=st.lists(VALUES, min_size=1, max_size=4))
def test_kernel_computes_the_values_of_its_terms(terms, rows):
    columns = [np.array([row[name] for row in rows]) for name in UNKNOWNS]
    for term, column in zip(terms, compile_kernel(UNKNOWNS, *terms)(*columns), strict=True):
        for row, computed in zip(rows, np.broadcast_to(column, len(rows)), strict=True):
            assert value(term, row) in (None, computed)


@each(("x_value", "y_value"), [(n, d) for n, d in product(SIGNED, (-3, -2, -1, 1, 2, 3))])
def test_division_has_a_nonnegative_remainder(x_value, y_value):
    quotient, remainder = compile_kernel(("x", "y"), x / y, x % y)(np.array([x_value]), np.array([y_value]))
    assert x_value == y_value * quotient[0] + remainder[0]
    assert 0 <= remainder[0] < abs(y_value)


def test_divide_accepts_divisors_of_all_signs():
    assert divide(np.array([7, 7, 7, -7, -7]), np.array([2, -2, 0, 2, -2])).tolist() == [3, -3, 0, -4, 4]


def test_division_by_zero_raises_no_warning():
    with np.errstate(all="raise"):
        kernel = compile_kernel(("x", "y"), smt.If(y == 0, -1, x / y))
        assert kernel(np.array([5, 6]), np.array([0, 3]))[0].tolist() == [-1, 2]


def test_arguments_are_broadcast():
    (table,) = compile_kernel(("x", "y"), x * 10 + y)(np.arange(3)[:, None], np.arange(2)[None, :])
    assert table.tolist() == [[0, 1], [10, 11], [20, 21]]


def test_argument_may_be_an_integer():
    assert compile_kernel(("x", "y"), x / y)(np.arange(6), 3)[0].tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.int64])
@pytest.mark.parametrize(
    "term", [x + 1, x - y, 2 * x * y, x / y, x % y, x / 3, -x, smt.If(x < y, x, 0)], ids=lambda term: str(term)
)
def test_integer_type_of_the_arrays_is_kept(term, dtype):
    (result,) = compile_kernel(("x", "y"), term)(np.array([-5, 5], dtype), np.array([2, -2], dtype))
    assert result.dtype == dtype


@pytest.mark.parametrize("term", [x < y, smt.And(x < y, y < 3), smt.Not(x == y), smt.Implies(x < y, x != y)], ids=str)
def test_conditions_are_bool_arrays(term):
    (result,) = compile_kernel(("x", "y"), term)(np.array([1, 2]), np.array([2, 2]))
    assert result.dtype == bool


def test_unnamed_unknown_is_refused():
    with pytest.raises(ValueError, match="the kernel has no argument 'z'"):
        compile_kernel(("x", "y"), x + y * z)


@pytest.mark.parametrize(
    ("term", "operator"),
    [(smt.applied("xor", [x < y, y < z], BOOL), "xor"), (smt.applied("distinct", [x, y, z], BOOL), "distinct")],
)
def test_operator_without_translation_is_refused(term, operator):
    with pytest.raises(ValueError, match=f"no translation for {operator}"):
        compile_kernel(UNKNOWNS, term)


def test_kernel_source_computes_nothing_twice():
    assert kernel_source(("q", "c"), smt.Int("q") / smt.Int("c") + smt.Int("q") % smt.Int("c")).splitlines() == [
        "# a0 = q, a1 = c",
        "def kernel(a0, a1):",
        "    t0 = divide(a0, a1)",
        "    t1 = a0 - a1 * t0",
        "    t2 = t0 + t1",
        "    return (t2,)",
    ]


def test_empty_conjunction_is_true_and_empty_disjunction_false():
    every, some = compile_kernel((), smt.And([]), smt.Or([]))()
    assert (every, some) == (True, False)
