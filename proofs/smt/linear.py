"""Linearization of nonlinear integer formulas: products and quotients are replaced by names.

Lemmas constrain the names. Every step weakens the assumptions, because a named product is any integer that satisfies
the lemma instances. An unsatisfiable result is therefore a proof about the real products; a satisfiable result proves
nothing. Formulas whose products and divisors are numerals, or choices between numerals, stay exact.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import permutations
from types import SimpleNamespace
from typing import Any, cast

from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.smt.text import shown

# The lemma about monotone products, as an obligation.
# Its instances constrain the named products in other texts.

MONOTONE = Obligation(
    "lemma.monotone",
    "Multiplication by z >= 0 is monotone.",
    ("x", "y", "z"),
    lambda encoding, v: Statement({"z is not negative": v.z >= 0, "x at most y": v.x <= v.y}, v.x * v.z <= v.y * v.z),
    logic="QF_NIA",
)


# Result of checking the formulas that linearization adds to an SMT-LIB text.
# They are checked with true products and quotients.


@dataclass(frozen=True)
class Instances:
    """Result of checking the definitions and lemma instances of one SMT-LIB text."""

    tried: int
    """The number of definitions and instances that were evaluated.

    Each was evaluated at several hundred random assignments.
    """
    false: str
    """The first false definition or instance, with its numbers; empty if all are true.

    Wrongly rewritten formulas count too.
    """


NO_INSTANCES = Instances(0, "")
"""The result for a text without named products or quotients."""


_NONLINEAR = {operators.MUL, operators.IDIV, operators.MOD}
"""Operators that may need a name. Products with numerals are included, which does no harm."""
_TRUTHS = {operators.TRUE, operators.FALSE}
_REWRITTEN, _NAMED = 1, 2
"""Flags of a term: some part of it must be rewritten; some part is a product or quotient."""


def _parts(term: smt.Term) -> int:
    """Return the flags of the term, which are computed once for each term.

    Most terms need no rewriting, which would be slow.
    """
    if not hasattr(term, "parts"):
        children, found = term.children, 0
        for child in children:
            found |= _parts(child)
        numerals = bool(children) and all(map(smt.is_int_value, children))
        decided = term.kind == operators.ITE and children[0].kind in _TRUTHS
        if term.kind in _NONLINEAR:
            found |= _REWRITTEN | _NAMED
        elif numerals or decided:
            found |= _REWRITTEN
        term.parts = found
    return term.parts


@dataclass(frozen=True)
class Linear:
    """Linear formulas that replace nonlinear ones.

    All parts together are weaker than the original formulas.
    """

    formulas: tuple[smt.BoolTerm, ...]
    """The given formulas, with names for products and quotients."""
    definitions: tuple[smt.BoolTerm, ...]
    """Euclid's equation for each named quotient with y > 0.

    x = y * (x div y) + x mod y, 0 <= x mod y < y.
    """
    lemmas: tuple[smt.BoolTerm, ...]
    """Instances of ``lemma.monotone`` for the named products."""
    meanings: Mapping[str, smt.IntTerm]
    """Name -> the product or quotient that it replaces, over unknowns and earlier names."""
    given: tuple[smt.BoolTerm, ...]
    """The original, nonlinear formulas."""

    @property
    def exact(self) -> bool:
        """Return whether no name was needed, so that a model of the text is a model of the original."""
        return not self.definitions and not self.lemmas


def linearize(formulas: Sequence[smt.BoolTerm]) -> Linear:
    """Replace products and quotients in ``formulas`` by names, and add lemma instances for them."""
    given = tuple(formulas)
    names = _Names()
    if not any(_parts(formula) & _NAMED for formula in given):
        return Linear(given, (), (), {}, given)
    rewritten = tuple(names.rewrite(formula) for formula in given)
    definitions = tuple(names.definitions[key] for key in sorted(names.definitions))
    lemmas = dict.fromkeys(_instances(names))
    return Linear(rewritten, definitions, tuple(lemmas), names.meanings, given)


def _instances(names: "_Names") -> Iterator[smt.BoolTerm]:
    """Yield instances of ``lemma.monotone`` for pairs of products with a common factor.

    Each pair is taken with x and with x + 1.

    Besides the named products of a factor z, the pairs include 0 * z and 1 * z.
    """
    by_factor: dict[str, tuple[smt.IntTerm, list[smt.IntTerm]]] = {}
    for key in sorted(names.products):
        x, y, _ = names.products[key]
        by_factor.setdefault(key[0], (x, []))[1].append(y)
        if key[0] != key[1]:
            by_factor.setdefault(key[1], (y, []))[1].append(x)
    for factor, others in by_factor.values():
        for x, y in permutations([smt.IntVal(0), smt.IntVal(1), *others], 2):
            if not (smt.is_int_value(x) and smt.is_int_value(y)):
                yield names.instance(x, y, factor)
                yield names.instance(_increased(x), y, factor)


def _increased(x: smt.IntTerm) -> smt.IntTerm:
    return smt.IntVal(x.number + 1) if smt.is_int_value(x) else x + 1


@cache
def _named(lemma: Obligation) -> tuple[smt.BoolTerm, Mapping[str, tuple[str, str]]]:
    """Return the lemma with its products named, and the factors of each named product.

    The lemma is about x, y and z.
    """
    said = lemma.state(None, SimpleNamespace(**{name: smt.Int(name) for name in lemma.variables}))
    names = _Names()
    named = names.rewrite(smt.Implies(smt.And(list(said.given.values())), said.then))
    return named, {str(product): (str(x), str(y)) for x, y, product in names.products.values()}


class _Names:
    """The names for products and quotients in one set of formulas.

    Equal products and quotients get the same name everywhere.
    """

    def __init__(self) -> None:
        self.products: dict[tuple[str, str], tuple[smt.IntTerm, smt.IntTerm, smt.IntTerm]] = {}
        self.definitions: dict[str, smt.BoolTerm] = {}
        self.meanings: dict[str, smt.IntTerm] = {}
        self._done: dict[smt.Term, Any] = {}

    def instance(self, x: smt.IntTerm, y: smt.IntTerm, z: smt.IntTerm) -> smt.BoolTerm:
        """Return the instance of ``lemma.monotone`` for x, y and z."""
        said, products = _named(MONOTONE)
        put = dict(zip(MONOTONE.variables, (x, y, z), strict=True))
        put |= {name: self.multiply(put[first], put[second]) for name, (first, second) in products.items()}
        return smt.substitute(said, *((smt.Int(name), term) for name, term in put.items()))

    def rewrite(self, formula: smt.BoolTerm) -> smt.BoolTerm:
        rewritten: smt.BoolTerm = self._rewrite(formula)
        return rewritten

    def _rewrite(self, term: smt.Term) -> Any:
        if not _parts(term) & _REWRITTEN:
            return term
        if term not in self._done:
            self._done[term] = self._rewritten(term)
        return self._done[term]

    def _rewritten(self, term: smt.Term) -> Any:
        kind = term.kind
        children = [self._rewrite(child) for child in term.children]
        if kind == operators.ITE and (smt.is_true(children[0]) or smt.is_false(children[0])):
            return children[1] if smt.is_true(children[0]) else children[2]
        if all(map(smt.is_int_value, children)) and kind not in (operators.IDIV, operators.MOD):
            return simplify(term.over(children))  # only numerals: the result is a numeral, true or false
        match kind:
            case operators.MUL:
                return reduce(self.multiply, children)
            case operators.IDIV:
                return self.divide(*children)[0]
            case operators.MOD:
                return self.divide(*children)[1]
        return term.over(children)

    def multiply(self, x: smt.IntTerm, y: smt.IntTerm) -> smt.IntTerm:
        """Return x * y in linear form.

        Sums and choices are multiplied out, and products of unknowns are replaced by names.
        """
        for numeral, other in ((x, y), (y, x)):
            if smt.is_int_value(numeral):
                return other if numeral.number == 1 else numeral * other
        for left, right in ((x, y), (y, x)):
            parts = left.children
            match left.kind:
                case operators.ITE:
                    return smt.If(parts[0], self.multiply(parts[1], right), self.multiply(parts[2], right))
                case operators.ADD:
                    return smt.Sum([self.multiply(part, right) for part in parts])
                case operators.SUB:
                    first, *others = (self.multiply(part, right) for part in parts)
                    return first - smt.Sum(others)
                case operators.NEG:
                    return -self.multiply(parts[0], right)
                case operators.MUL:  # a numeral times another term: products of unknowns already have names
                    return cast(smt.IntTerm, parts[0]) * self.multiply(parts[1], right)
        return self._named_product(x, y)

    def _named_product(self, x: smt.IntTerm, y: smt.IntTerm) -> smt.IntTerm:
        (shown_x, x), (shown_y, y) = sorted(((shown(x), x), (shown(y), y)), key=lambda side: side[0])
        key = (shown_x, shown_y)
        if key not in self.products:
            name = f"{shown_x} * {shown_y}"
            self.products[key] = (x, y, smt.Int(name))
            self.meanings[name] = x * y
        return self.products[key][2]

    def divide(self, x: smt.IntTerm, y: smt.IntTerm) -> tuple[smt.IntTerm, smt.IntTerm]:
        """Return quotient and remainder of x by y in linear form.

        Both stay terms if y is a positive numeral; otherwise they are replaced by names.
        """
        if smt.is_int_value(y) and y.number > 0:
            return (simplify(x / y), simplify(x % y)) if smt.is_int_value(x) else (x / y, x % y)
        if y.kind == operators.ITE:
            condition, left, right = y.children
            yes, no = self.divide(x, left), self.divide(x, right)
            return smt.If(condition, yes[0], no[0]), smt.If(condition, yes[1], no[1])
        quotient, remainder = (smt.Int(f"({shown(x)} {operation} {shown(y)})") for operation in ("div", "mod"))
        key = quotient.name
        if key not in self.definitions:
            self.meanings |= {key: x / y, remainder.name: x % y}
            euclid = smt.And(x == self.multiply(y, quotient) + remainder, 0 <= remainder, remainder < y)
            self.definitions[key] = smt.Implies(y > 0, euclid)
        return quotient, remainder
