"""Simplified terms are kept with their terms."""

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
def test_it_is_the_same_the_second_time_and_equal_to_the_term(term):
    simple = simplify(term)
    assert simplify(term) is simple
    assert equal(simple, term)


def test_a_constant_is_found_the_second_time_too():
    for _ in range(2):
        assert smt.is_true(simplify(x + 1 > x))


def test_what_was_simplified_otherwise_is_not_taken_for_it():
    """Z3 makes a sum of a product only when it is asked to."""
    product = (x + 1) * (x + 2)
    plain, summed = simplify(product), simplify(product, som=True)
    assert simplify(product) is plain
    assert simplify(product, som=True) is not plain
    assert summed.kind == operators.ADD
    assert equal(plain, summed)


def test_a_term_that_is_as_simple_as_can_be_is_gone_when_nobody_needs_it():
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
