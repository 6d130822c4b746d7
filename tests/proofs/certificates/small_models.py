"""Values of terms in all small models, computed apart from the checker."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any

from rebalance_proofs.proofs.certificates.terms import ArraySort, Term

MOST = 100
NUMBERS = (-2, -1, 0, 1, 2)
DOMAINS: dict[Any, Sequence[Any]] = {
    "Bool": (False, True),
    "Int": NUMBERS,
    "Q": (0, 1),
    ArraySort("Q", "Int"): tuple(product((0, 1), repeat=2)),
}
"""Sort -> its values. Arrays have an entry for each of the two values of ``Q``."""


def _all(*values: Any) -> bool:
    return all(values)


def _any(*values: Any) -> bool:
    return any(values)


def _sum(*values: Any) -> Any:
    return sum(values)


def _product(*values: Any) -> Any:
    found = 1
    for value in values:
        found *= value
    return found


MEANING: dict[str, Callable[..., Any]] = {
    "not": lambda a: not a,
    "and": _all,
    "or": _any,
    "=>": lambda a, b: not a or b,
    "=": lambda x, y: x == y,
    "distinct": lambda *xs: len(set(xs)) == len(xs),
    "ite": lambda c, x, y: x if c else y,
    "+": _sum,
    "*": _product,
    "-": lambda *xs: -xs[0] if len(xs) == 1 else xs[0] - xs[1],
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "to_real": lambda x: Fraction(x),
    "to_int": lambda x: x.numerator // x.denominator,
    "abs": abs,
    "@purify": lambda x: x,
    "select": lambda m, i: m[i],
    "store": lambda m, i, e: tuple(e if place == i else old for place, old in enumerate(m)),
}


class SmallModels:
    """All models in which the constants of some terms have small values; a random ``MOST`` if they are more."""

    def __init__(self, terms: Iterable[Term]) -> None:
        constants: dict[Term, None] = {}
        left = list(terms)
        while left:
            term = left.pop()
            left += term.args
            if not term.args and term.op not in ("true", "false", "#numeral"):
                constants[term] = None
        domains = [DOMAINS[term.sort] for term in constants]
        if prod(map(len, domains)) <= MOST:
            rows = list(product(*domains))
        else:
            random = Random(0)
            rows = [tuple(map(random.choice, domains)) for _ in range(MOST)]
        self.count = len(rows)
        self._known: dict[Term, Sequence[Any]] = dict(zip(constants, zip(*rows, strict=True), strict=True))

    def values(self, term: Term) -> Sequence[Any]:
        """Return the values of a term, one for each model."""
        if term not in self._known:
            self._known[term] = self._computed(term)
        return self._known[term]

    def _computed(self, term: Term) -> Sequence[Any]:
        if not term.args:
            value = term.value if term.op == "#numeral" else term.op == "true"
            return [value] * self.count
        return list(map(MEANING[term.op], *map(self.values, term.args)))


def follows(premises: Sequence[Term], conclusion: Term) -> bool:
    """Return whether the conclusion is true in all small models of the premises."""
    models = SmallModels([*premises, conclusion])
    columns = [models.values(term) for term in (*premises, conclusion)]
    return all(row[-1] or not all(row[:-1]) for row in zip(*columns, strict=True))
