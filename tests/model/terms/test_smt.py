"""Terms: each exists once, has the meaning of z3py's term, and is freed when it is not used."""

import gc
import operator
import subprocess
import sys
import weakref

import pytest
import z3
from hypothesis import given

from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.operators import BOOL, INT, array_sort, sort
from rebalance_proofs.model.terms.z3_terms import of_z3, to_z3
from tests.model.terms.random_terms import booleans, integers

x, y, p, q = smt.Int("x"), smt.Int("y"), smt.Bool("p"), smt.Bool("q")
PAIRS = [
    (getattr(operator, name)(smt.Int("x"), other), getattr(operator, name)(z3.Int("x"), same))
    for name in ("add", "sub", "mul", "truediv", "mod", "le", "lt", "ge", "gt", "eq", "ne")
    for other, same in ((smt.Int("y"), z3.Int("y")), (3, 3), (-3, -3))
]
PAIRS += [
    (getattr(operator, name)(3, smt.Int("x")), getattr(operator, name)(3, z3.Int("x")))
    for name in ("add", "sub", "mul", "truediv", "mod", "le", "lt", "ge", "gt", "eq", "ne")
]
PAIRS += [
    (-smt.Int("x"), -z3.Int("x")),
    (smt.And(), z3.And([])),
    (smt.And(p), z3.And([z3.Bool("p")])),
    (smt.And(p, True), z3.And(z3.Bool("p"), True)),
    (smt.Or([p, q, False]), z3.Or([z3.Bool("p"), z3.Bool("q"), False])),
    (smt.Not(p), z3.Not(z3.Bool("p"))),
    (smt.Implies(p, False), z3.Implies(z3.Bool("p"), False)),
    (p == q, z3.Bool("p") == z3.Bool("q")),
    (p != True, z3.Bool("p") != True),  # noqa: E712
    (smt.If(p, x, 0), z3.If(z3.Bool("p"), z3.Int("x"), 0)),
    (smt.If(p, 1, 0), z3.If(z3.Bool("p"), 1, 0)),
    (smt.If(p, q, False), z3.If(z3.Bool("p"), z3.Bool("q"), False)),
    (smt.Sum([x, 1, y]), z3.Sum([z3.Int("x"), 1, z3.Int("y")])),
]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS, ids=lambda term: "")
def test_operators_mean_those_of_z3py(ours, theirs):
    assert to_z3(ours).eq(theirs)
    assert of_z3(theirs) is ours


def test_difference_of_many_subtracts_all_others_from_the_first():
    many = smt.applied(operators.SUB, [x, y, smt.IntVal(2)], INT)
    assert z3.is_true(z3.simplify(to_z3(many) == z3.Int("x") - z3.Int("y") - 2))
    assert z3.is_true(z3.simplify(to_z3(smt.applied(operators.SUB, [smt.IntVal(one) for one in (9, 4, 3)], INT)) == 2))


@given(booleans(3))
def test_conversion_to_z3_and_back_changes_nothing(term):
    assert of_z3(to_z3(term)) is term


def test_functions_arrays_and_sorts_are_converted():
    place, entry = sort("Place"), sort("Entry")
    table, at = smt.Const("table", array_sort(place, entry)), smt.Const("at", place)
    step = smt.Function("step", place, INT, BOOL, entry)
    term = smt.Store(table, at, step(at, 3, p))[at] == table[at]
    assert of_z3(to_z3(term)) is term
    assert step is smt.Function("step", place, INT, BOOL, entry)
    assert step(at, x, True).function is step


def test_unused_z3_operator_is_refused():
    with pytest.raises(KeyError):
        of_z3(z3.ToReal(z3.Int("x")) > 1)


@given(integers(2))
def test_equal_terms_are_the_same_object(term):
    assert term + x is term + x
    assert (term + x) * 2 is not (term + y) * 2
    assert len(set(smt.subterms(term == y, term == y))) == len(smt.subterms(term == y))


def test_subterms_come_before_their_terms():
    term = smt.If(x < y, x * y, -(x * y))
    parts = smt.subterms(term)
    places = {one: place for place, one in enumerate(parts)}
    assert all(places[child] < places[one] for one in parts for child in one.children)
    assert [one.name for one in parts] == ["x", "y", "<", "*", "negation", "ite"]
    assert smt.subterms(x, y, x) == [x, y]


def test_unused_term_is_released():
    gone = weakref.ref(smt.Int("once") + 12345)
    gc.collect()
    assert gone() is None
    again = smt.Int("once") + 12345
    assert again is smt.Int("once") + 12345


def test_terms_can_be_deeply_nested():
    term = p
    for _ in range(20_000):
        term = smt.Not(term)
    assert smt.substitute(term, (p, q)) is not term
    assert len(smt.subterms(term)) == 20_001
    assert len(term.fingerprint) == 16


def test_terms_are_found_in_dictionaries_and_sets():
    assert {x: 1, x + 1: 2}[x + 1] == 2
    assert x + 1 in {x, x + 1}
    assert y not in {x, x + 1}


TERMS = [p, x < y, smt.And(p, q), x == 1, x != y, smt.BoolVal(True), smt.BoolVal(False)]


@pytest.mark.parametrize(
    "use",
    [
        bool,
        lambda term: not term,
        lambda term: term and p,
        lambda term: term or p,
        lambda term: 1 if term else 2,
        lambda term: [one for one in (1, 2) if term],
        lambda term: all([term]),
    ],
)
@pytest.mark.parametrize("term", TERMS, ids=str)
def test_term_is_no_python_truth_value(term, use):
    with pytest.raises(TypeError, match="is a term, not a Python truth value"):
        use(term)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: smt.And(p, x), "not a truth value"),
        (lambda: smt.Not(1), "not a truth value"),
        (lambda: x + "1", "not an integer"),
        (lambda: x + p, "not an integer"),
        (lambda: smt.If(p, x, q), "not an integer"),
        (lambda: p == 1, "not a truth value"),
        (lambda: x.function and (x + 1).function, "not an application"),
        (lambda: smt.Function("f", INT, INT)(x, y), "zip"),
    ],
)
def test_invalid_argument_is_refused(make, why):
    with pytest.raises((TypeError, ValueError), match=why):
        make()


@given(integers(2), integers(1))
def test_substitution_replaces_all_occurrences_at_once(term, other):
    put = smt.substitute(smt.If(term < x, x, y), (x, y), (y, other))
    assert put is smt.If(smt.substitute(term, (x, y), (y, other)) < y, y, other)


@pytest.mark.parametrize("given", [(), [], iter(())], ids=["none", "a list", "an iterator"])
def test_empty_sum_is_0(given):
    assert smt.Sum(given) is smt.Sum() is smt.IntVal(0)


def test_text_of_a_term_is_short():
    term = x
    for _ in range(100):
        term = term * term
    assert len(str(term)) < 100_000
    assert str(smt.And(x <= -y, p)) == "(and (<= x (- y)) p)"
    assert repr(smt.IntVal(-3)) == "-3"


def test_fingerprint_depends_on_the_term_only():
    said = "from rebalance_proofs.model.terms import smt; x = smt.Int('x'); print((smt.If(x < 3, x, 4)).fingerprint)"
    found = subprocess.run(
        [sys.executable, "-c", said], check=True, capture_output=True, encoding="utf-8"
    ).stdout.strip()
    assert smt.If(x < 3, x, 4).fingerprint == found
    arrays = [smt.Const("x", array_sort(INT, value)) for value in (INT, BOOL)]
    different = [*arrays, x < 3, x <= 3, smt.Int("<") < 3, p, smt.Int("p"), smt.Bool("3"), smt.IntVal(3), smt.Int("3")]
    assert len({one.fingerprint for one in different}) == len(different)
