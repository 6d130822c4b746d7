"""Values of terms, and terms simplified by these values, agree with Z3."""

import pytest
from hypothesis import given

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.model.terms.values import folded, ground
from tests.model.terms.random_terms import UNKNOWNS, VALUES, booleans, integers, value

x, p = smt.Int("x"), smt.Bool("p")


@given(booleans(3) | integers(3), VALUES)
def test_ground_value_equals_the_value_by_z3(term, values):
    put = smt.substitute(term, *((smt.Int(name), smt.IntVal(values[name])) for name in UNKNOWNS))
    by_z3 = value(term, values)
    if ground(put) is not None:
        assert ground(put) == by_z3
    assert by_z3 is None or ground(simplify(put)) == by_z3


@given(booleans(3), VALUES)
def test_simplified_term_has_the_same_value(term, values):
    for name in UNKNOWNS[:2]:
        put = smt.substitute(term, (smt.Int(name), smt.IntVal(values[name])))
        solver = Solver()
        solver.add(folded(put) != put)
        assert solver.check() == unsat


@pytest.mark.parametrize(
    ("term", "left"),
    [
        (smt.And(p, True, 3 > smt.IntVal(2)), p),
        (smt.And(p, x > 1, True), smt.And(p, x > 1)),
        (smt.And(p, smt.IntVal(2) > 3), smt.BoolVal(False)),
        (smt.Or(p, smt.IntVal(2) > 1), smt.BoolVal(True)),
        (smt.Or(False, p), p),
        (smt.Or(False, smt.BoolVal(False)), smt.BoolVal(False)),
        (smt.Implies(smt.BoolVal(False), p), smt.BoolVal(True)),
        (smt.Implies(True, p), p),
        (smt.If(smt.IntVal(1) == 1, x, 0), x),
        (smt.If(smt.IntVal(1) == 2, 0, x), x),
        (smt.If(p, x, x + 0), x),
        (x <= x, smt.BoolVal(True)),
        (smt.Sum([x, smt.IntVal(2) - 2]), x),
        (smt.Sum([smt.IntVal(0), smt.IntVal(0)]), smt.IntVal(0)),
        (smt.IntVal(-7) / 2, smt.IntVal(-4)),
        (smt.IntVal(-7) / -2, smt.IntVal(4)),
        (smt.IntVal(-7) % -2, smt.IntVal(1)),
        (smt.IntVal(7) / 0, smt.IntVal(7) / 0),
    ],
)
def test_constant_subterms_are_folded(term, left):
    assert folded(term) is left


@pytest.mark.parametrize(
    ("term", "found"), [(x, None), (x - x, None), (smt.And(p, False), False), (smt.If(True, 3, x), 3), (x == x, None)]
)
def test_value_is_known_if_it_does_not_depend_on_unknowns(term, found):
    assert ground(term) is found
