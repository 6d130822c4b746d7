"""Simplified terms are cached with their terms."""

import gc
import weakref

from hypothesis import given

from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.terms.solver import Solver, unsat
from tests.model.terms.random_terms import booleans

x = smt.Int("x")


def equal(one: smt.Term, other: smt.Term) -> bool:
    solver = Solver()
    solver.add(one != other)
    return solver.check() == unsat


@given(booleans(3))
def test_simplified_term_is_cached_and_equal(term):
    simple = simplify(term)
    assert simplify(term) is simple
    assert equal(simple, term)


def test_constant_result_is_cached():
    for _ in range(2):
        assert smt.is_true(simplify(x + 1 > x))


def test_other_options_give_another_result():
    """Z3 expands a product into a sum only with the option for it."""
    product = (x + 1) * (x + 2)
    plain, summed = simplify(product), simplify(product, som=True)
    assert simplify(product) is plain
    assert simplify(product, som=True) is not plain
    assert summed.kind == operators.ADD
    assert equal(plain, summed)


def test_simplest_term_is_released():
    gc.disable()
    try:
        term = smt.Int("an unknown of this test alone") >= 0
        itself = simplify(term) is term
        assert itself
        kept = weakref.ref(term)
        del term
        assert kept() is None
    finally:
        gc.enable()
