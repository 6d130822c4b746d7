"""Linearization of nonlinear integer formulas by names for products and quotients, with lemmas about the names.

Every step weakens the assumptions (a named product is any integer that satisfies the lemma instances), so that an
unsatisfiable result is a proof about the real products; a satisfiable one says nothing. Formulas whose products and
divisors are numerals, or choices between numerals, stay exact.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import permutations
from types import SimpleNamespace
from typing import Any, cast

import z3

from rebalance_proofs.model.terms.nodes import Node, Reader
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.smt.lemmas import MONOTONE
from rebalance_proofs.proofs.smt.text import shown

_NONLINEAR = {z3.Z3_OP_MUL, z3.Z3_OP_IDIV, z3.Z3_OP_MOD}
"""Products with numerals are included, which does no harm."""
_TRUTHS = {z3.Z3_OP_TRUE, z3.Z3_OP_FALSE}


@dataclass(frozen=True)
class Linear:
    """A linearized conjunction: all parts together are the weakened formulas."""

    formulas: tuple[z3.BoolRef, ...]
    """The given formulas, over named products and quotients."""
    definitions: tuple[z3.BoolRef, ...]
    """Euclid's equation x = y * (x div y) + x mod y, 0 <= x mod y < y, for each named quotient with y > 0."""
    lemmas: tuple[z3.BoolRef, ...]
    """Instances of ``lemma.monotone`` for the named products."""
    meanings: Mapping[str, z3.ArithRef]
    """The meaning of each name, over the unknowns and earlier names."""
    given: tuple[z3.BoolRef, ...]
    """The original formulas."""

    @property
    def exact(self) -> bool:
        """Whether nothing was named, so that satisfiable here means satisfiable there."""
        return not self.definitions and not self.lemmas


def linearize(formulas: Sequence[z3.BoolRef]) -> Linear:
    """Name the products and quotients in ``formulas``, and instantiate the lemmas for them."""
    given = tuple(formulas)
    names = _Names()
    rewritten = tuple(names.rewrite(formula) for formula in given)
    if not names.nonlinear:
        return Linear(given, (), (), {}, given)
    definitions = tuple(names.definitions[key] for key in sorted(names.definitions))
    lemmas = {instance.get_id(): instance for instance in _instances(names)}
    return Linear(rewritten, definitions, tuple(lemmas.values()), names.meanings, given)


def _instances(names: "_Names") -> Iterator[z3.BoolRef]:
    """Instances of ``lemma.monotone`` for pairs of products with a common factor, with x and with x + 1.

    Besides the named products of a factor z, the pairs include 0 * z and 1 * z.
    """
    by_factor: dict[str, tuple[z3.ArithRef, list[z3.ArithRef]]] = {}
    for key in sorted(names.products):
        x, y, _ = names.products[key]
        by_factor.setdefault(key[0], (x, []))[1].append(y)
        if key[0] != key[1]:
            by_factor.setdefault(key[1], (y, []))[1].append(x)
    for factor, others in by_factor.values():
        for x, y in permutations([z3.IntVal(0), z3.IntVal(1), *others], 2):
            if not (z3.is_int_value(x) and z3.is_int_value(y)):
                yield names.instance(x, y, factor)
                yield names.instance(_increased(x), y, factor)


def _increased(x: z3.ArithRef) -> z3.ArithRef:
    return z3.IntVal(x.as_long() + 1) if z3.is_int_value(x) else x + 1


@cache
def _named(lemma: Obligation) -> tuple[z3.BoolRef, Mapping[str, tuple[str, str]]]:
    """The lemma's statement about x, y and z with its products named, and the factors of each product."""
    said = lemma.state(None, SimpleNamespace(**{name: z3.Int(name) for name in lemma.variables}))
    names = _Names()
    named = names.rewrite(z3.Implies(z3.And(list(said.given.values())), said.then))
    return named, {str(product): (str(x), str(y)) for x, y, product in names.products.values()}


class _Names:
    """One pass over the formulas, in which the same product or quotient gets the same name everywhere."""

    def __init__(self) -> None:
        self.products: dict[tuple[str, str], tuple[z3.ArithRef, z3.ArithRef, z3.ArithRef]] = {}
        self.definitions: dict[str, z3.BoolRef] = {}
        self.meanings: dict[str, z3.ArithRef] = {}
        self._reader = Reader()
        self._changes: dict[Node, bool] = {}
        self._done: dict[Node, Any] = {}

    @property
    def nonlinear(self) -> bool:
        """Whether there was anything to name, or a product with a numeral."""
        return any(node.kind in _NONLINEAR for node in self._reader.nodes)

    def instance(self, x: z3.ArithRef, y: z3.ArithRef, z: z3.ArithRef) -> z3.BoolRef:
        """The instance of ``lemma.monotone`` for these numbers."""
        said, products = _named(MONOTONE)
        put = dict(zip(MONOTONE.variables, (x, y, z), strict=True))
        put |= {name: self.multiply(put[first], put[second]) for name, (first, second) in products.items()}
        return z3.substitute(said, *((z3.Int(name), term) for name, term in put.items()))

    def rewrite(self, formula: z3.BoolRef) -> z3.BoolRef:
        rewritten: z3.BoolRef = self._rewrite(self._reader.read(formula))
        return rewritten

    def _rewrite(self, node: Node) -> Any:
        if node not in self._done:
            self._done[node] = self._rewritten(node) if self._changing(node) else node.term
        return self._done[node]

    def _changing(self, node: Node) -> bool:
        """Whether some part of the node is rewritten. Most are not, and rebuilding terms takes long."""
        if node not in self._changes:
            parts = [self._changing(child) for child in node.children]
            numerals = bool(node.children) and all(child.kind == z3.Z3_OP_ANUM for child in node.children)
            decided = node.kind == z3.Z3_OP_ITE and node.children[0].kind in _TRUTHS
            self._changes[node] = any(parts) or numerals or decided or node.kind in _NONLINEAR
        return self._changes[node]

    def _rewritten(self, node: Node) -> Any:
        kind, declaration = node.kind, node.term.decl()
        children = [self._rewrite(child) for child in node.children]
        if kind == z3.Z3_OP_ITE and (z3.is_true(children[0]) or z3.is_false(children[0])):
            return children[1] if z3.is_true(children[0]) else children[2]
        if all(map(z3.is_int_value, children)) and kind not in (z3.Z3_OP_IDIV, z3.Z3_OP_MOD):
            return z3.simplify(declaration(*children))  # only numerals: the result is a numeral, true or false
        match kind:
            case z3.Z3_OP_MUL:
                return reduce(self.multiply, children)
            case z3.Z3_OP_IDIV:
                return self.divide(*children)[0]
            case z3.Z3_OP_MOD:
                return self.divide(*children)[1]
        return declaration(*children)

    def multiply(self, x: z3.ArithRef, y: z3.ArithRef) -> z3.ArithRef:
        """x * y with sums and choices multiplied out, and products of unknowns named."""
        for numeral, other in ((x, y), (y, x)):
            if z3.is_int_value(numeral):
                return other if numeral.as_long() == 1 else numeral * other
        for left, right in ((x, y), (y, x)):
            parts = left.children()
            match left.decl().kind():
                case z3.Z3_OP_ITE:
                    return z3.If(parts[0], self.multiply(parts[1], right), self.multiply(parts[2], right))
                case z3.Z3_OP_ADD:
                    return z3.Sum([self.multiply(part, right) for part in parts])
                case z3.Z3_OP_SUB:
                    first, *others = (self.multiply(part, right) for part in parts)
                    return first - z3.Sum(others)
                case z3.Z3_OP_UMINUS:
                    return -self.multiply(parts[0], right)
                case z3.Z3_OP_MUL:  # a numeral times something: products of unknowns are named already
                    return cast(z3.ArithRef, parts[0]) * self.multiply(parts[1], right)
        return self._named_product(x, y)

    def _named_product(self, x: z3.ArithRef, y: z3.ArithRef) -> z3.ArithRef:
        (shown_x, x), (shown_y, y) = sorted(((shown(x), x), (shown(y), y)), key=lambda side: side[0])
        key = (shown_x, shown_y)
        if key not in self.products:
            name = f"{shown_x} * {shown_y}"
            self.products[key] = (x, y, z3.Int(name))
            self.meanings[name] = x * y
        return self.products[key][2]

    def divide(self, x: z3.ArithRef, y: z3.ArithRef) -> tuple[z3.ArithRef, z3.ArithRef]:
        """Quotient and remainder of x by y; unchanged if y is a positive numeral."""
        if z3.is_int_value(y) and y.as_long() > 0:
            return (z3.simplify(x / y), z3.simplify(x % y)) if z3.is_int_value(x) else (x / y, x % y)
        if y.decl().kind() == z3.Z3_OP_ITE:
            condition, left, right = y.children()
            yes, no = self.divide(x, left), self.divide(x, right)
            return z3.If(condition, yes[0], no[0]), z3.If(condition, yes[1], no[1])
        quotient, remainder = (z3.Int(f"({shown(x)} {operation} {shown(y)})") for operation in ("div", "mod"))
        key = quotient.decl().name()
        if key not in self.definitions:
            self.meanings |= {key: x / y, remainder.decl().name(): x % y}
            euclid = z3.And(x == self.multiply(y, quotient) + remainder, 0 <= remainder, remainder < y)
            self.definitions[key] = z3.Implies(y > 0, euclid)
        return quotient, remainder
