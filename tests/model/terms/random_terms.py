"""Random integer and boolean terms over three unknowns, and their values."""

from operator import add, eq, ge, gt, le, lt, mul, ne, neg, sub

import z3
from hypothesis import strategies as st

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.z3_terms import to_z3

UNKNOWNS = ("x", "y", "z")
VALUES = st.fixed_dictionaries({name: st.integers(-6, 6) for name in UNKNOWNS})


def integers(depth: int) -> st.SearchStrategy[smt.IntTerm]:
    """Integer terms with + - * div mod ite up to that depth, including products of unknowns and negative divisors."""
    leaves = st.sampled_from(UNKNOWNS).map(smt.Int) | st.integers(-4, 4).map(smt.IntVal)
    if depth == 0:
        return leaves
    part = integers(depth - 1)
    binary = [st.builds(operator, part, part) for operator in (add, sub, mul, lambda x, y: x / y, lambda x, y: x % y)]
    return st.one_of(leaves, *binary, part.map(neg), st.builds(smt.If, booleans(depth - 1), part, part))


def booleans(depth: int) -> st.SearchStrategy[smt.BoolTerm]:
    """Comparisons of integer terms, joined by and, or, not, implies, equality and inequality."""
    part = integers(depth)
    comparisons = [st.builds(operator, part, part) for operator in (le, lt, ge, gt, eq, ne)]
    if depth == 0:
        return st.one_of(*comparisons)
    inner = booleans(depth - 1)
    joined = [st.builds(operator, inner, inner) for operator in (smt.And, smt.Or, smt.Implies, eq, ne)]
    return st.one_of(*comparisons, *joined, inner.map(smt.Not), st.builds(smt.And, inner, inner, inner))


def value(term: smt.Term, values: dict[str, int]) -> int | bool | None:
    """The term's value by Z3; None if it depends on a division by zero."""
    numerals = [(z3.Int(name), z3.IntVal(number)) for name, number in values.items()]
    result = z3.simplify(z3.substitute(to_z3(term), numerals))
    if z3.is_int_value(result):
        return result.as_long()
    return z3.is_true(result) if z3.is_true(result) or z3.is_false(result) else None
