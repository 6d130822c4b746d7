"""Typed terms of SMT-LIB texts and of proofs.

Equal terms of one ``Terms`` are the same object, so that rules compare them with ``is``. Every term is well-sorted,
since ``Terms.make`` refuses all others.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple


class Refused(Exception):
    """A text or a certificate that is not accepted; the message is one clause."""


class ArraySort(NamedTuple):
    """The sort of arrays from one sort to another."""

    domain: "Sort"
    range: "Sort"


Sort = str | ArraySort
"""``Int``, ``Real``, ``Bool``, the name of a declared sort, or an array sort."""

BOOL, INT, REAL, LIST = "Bool", "Int", "Real", "@List"
NUMERAL = "#numeral"
"""Operator of integer and rational literals."""
RELATIONS = ("<", "<=", "=", ">=", ">")
MOST_BITS = 10_000
"""Most binary digits of a number."""
MOST_WORK = 50_000_000
"""Most work for one certificate: arguments of terms that are made or visited, and products of monomials."""
NULLS = {"and": "true", "or": "false"}
"""Boolean operators with any number of arguments, and the value of such an operator without arguments."""


class Term:
    """An operator with arguments; a constant has none, a literal has a ``value``."""

    __slots__ = ("args", "number", "op", "sort", "value")

    def __init__(self, op: str, args: tuple["Term", ...], sort: Sort, number: int, value: Fraction | int = 0) -> None:
        self.op, self.args, self.sort, self.value = op, args, sort, value
        self.number = number
        """Position among the terms in order of construction."""

    def __repr__(self) -> str:
        """Return the term's text."""
        if self.op == NUMERAL:
            return f"{self.value}" if self.sort == INT else f"{self.value.numerator}/{self.value.denominator}"
        return f"({' '.join([self.op, *map(repr, self.args)])})" if self.args else self.op


class Terms:
    """The terms of one text and its certificate, and the symbols that they use."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, tuple[Term, ...]], Term] = {}
        self._literals: dict[tuple[Fraction | int, Sort], Term] = {}
        self._symbols: dict[str, tuple[tuple[Sort, ...], Sort]] = {}
        self._sorts: set[str] = set()
        self._names: set[str] = set()
        self._work = 0
        self.polynomials: dict[Term, dict[tuple[Term, ...], Fraction | int]] = {}
        """Polynomials that the rules of arithmetic have computed."""
        self.true = self._new("true", (), BOOL)
        self.false = self._new("false", (), BOOL)

    def _new(self, op: str, args: tuple[Term, ...], sort: Sort) -> Term:
        made = self._made[op, args] = Term(op, args, sort, len(self._made) + len(self._literals))
        return made

    def spend(self, work: int) -> None:
        """Count work; refuse to do more than ``MOST_WORK``."""
        self._work += work
        if self._work > MOST_WORK:
            raise Refused("the check takes too long")

    def literal(self, value: Fraction | int, sort: Sort = INT) -> Term:
        """Return an integer (``Int``) or rational (``Real``) literal."""
        bounded(value)
        found = self._literals.get((value, sort))
        if found is None:
            if sort == INT and value.denominator != 1:
                raise Refused(f"{value} is no integer")
            exact = int(value) if sort == INT else Fraction(value)
            found = Term(NUMERAL, (), sort, len(self._made) + len(self._literals), exact)
            self._literals[value, sort] = found
        return found

    def declare_sort(self, name: str) -> None:
        """Declare an uninterpreted sort."""
        if name in self._sorts or name in (BOOL, INT, REAL, "Array") or name.startswith(("@", "#")):
            raise Refused(f"the sort {name} is declared twice, or reserved")
        self._sorts.add(name)

    def check_sort(self, sort: Sort) -> Sort:
        """Return the sort if it is known."""
        if isinstance(sort, ArraySort):
            return ArraySort(self.check_sort(sort.domain), self.check_sort(sort.range))
        if sort not in self._sorts and sort not in (BOOL, INT):
            raise Refused(f"unknown sort {sort}")
        return sort

    def declare(self, name: str, arguments: Sequence[Sort], sort: Sort) -> None:
        """Declare a constant or an uninterpreted function."""
        self.reserve(name)
        self._symbols[name] = tuple(arguments), sort
        if not arguments:
            self._new(name, (), sort)

    def reserve(self, name: str) -> None:
        """Refuse a name that has a meaning already, or that looks like a literal; note that it has one now."""
        if name in self._names or name in RESERVED or _NO_NAME.match(name):
            raise Refused(f"the symbol {name} is declared twice, or reserved")
        self._names.add(name)

    def make(self, op: str, *args: Term) -> Term:
        """Return the application of an operator; refuse an unknown operator and arguments of wrong sorts."""
        self.spend(1 + len(args))
        found = self._made.get((op, args))
        return self._new(op, args, self._sort(op, args)) if found is None else found

    def _sort(self, op: str, args: tuple[Term, ...]) -> Sort:
        if op in self._symbols:
            wanted, sort = self._symbols[op]
            if not args or tuple(arg.sort for arg in args) != wanted:
                raise Refused(f"{op} has wrong arguments")
            return sort
        known = _SORTS.get(op)
        if known is None:
            raise Refused(f"unknown symbol {op}")
        found = known([arg.sort for arg in args])
        if found is None:
            raise Refused(f"{op} has wrong arguments")
        return found

    def equal(self, left: Term, right: Term) -> Term:
        """Return an equation."""
        return self.make("=", left, right)

    def negate(self, term: Term) -> Term:
        """Return a negation; a double negation is not simplified."""
        return self.make("not", term)

    def clause(self, literals: Sequence[Term]) -> Term:
        """Return the disjunction of literals: ``false`` if there are none, one literal as it is."""
        return self.joined("or", literals)

    def joined(self, op: str, args: Sequence[Term]) -> Term:
        """Return ``and`` or ``or`` of arguments; a single argument as it is."""
        if len(args) == 1:
            return args[0]
        return self.make(op, *args) if args else self.null(op)

    def null(self, op: str) -> Term:
        """Return the value of ``and`` or ``or`` without arguments."""
        return self.true if op == "and" else self.false


def args_of(term: Term, op: str, count: int = 0) -> tuple[Term, ...]:
    """Return the arguments of a term that has to be an application of ``op``, to ``count`` arguments unless 0."""
    if term.op != op or not term.args or (count and len(term.args) != count):
        raise Refused(f"a term is no application of {op}")
    return term.args


def bounded(value: Fraction | int) -> Fraction | int:
    """Return a number; refuse one with too many digits."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise Refused("a number is too large")
    return value


def sides(term: Term) -> tuple[Term, Term]:
    """Return the two sides of an equation."""
    left, right = args_of(term, "=", 2)
    return left, right


def is_number(sort: Sort) -> bool:
    """Return whether a sort is ``Int`` or ``Real``."""
    return sort in (INT, REAL)


def _alike(sorts: Sequence[Sort]) -> bool:
    """Return whether there is at least one argument, and all are values of one sort."""
    return bool(sorts) and LIST not in sorts and all(sort == sorts[0] for sort in sorts)


def _fixed(wanted: Sequence[Sort], sort: Sort, sorts: Sequence[Sort]) -> Sort | None:
    return sort if list(sorts) == list(wanted) else None


def _truths(sorts: Sequence[Sort]) -> Sort | None:
    return BOOL if sorts and all(sort == BOOL for sort in sorts) else None


def _numbers(sorts: Sequence[Sort]) -> Sort | None:
    return sorts[0] if _alike(sorts) and is_number(sorts[0]) else None


def _difference(sorts: Sequence[Sort]) -> Sort | None:
    return _numbers(sorts) if len(sorts) in (1, 2) else None


def _relation(sorts: Sequence[Sort]) -> Sort | None:
    return BOOL if len(sorts) == 2 and _numbers(sorts) else None


def _equation(sorts: Sequence[Sort]) -> Sort | None:
    return BOOL if len(sorts) == 2 and _alike(sorts) else None


def _distinct(sorts: Sequence[Sort]) -> Sort | None:
    return BOOL if len(sorts) > 1 and _alike(sorts) else None


def _choice(sorts: Sequence[Sort]) -> Sort | None:
    return sorts[1] if len(sorts) == 3 and sorts[0] == BOOL and _alike(sorts[1:]) else None


def _purified(sorts: Sequence[Sort]) -> Sort | None:
    return sorts[0] if len(sorts) == 1 and _alike(sorts) else None


def _select(sorts: Sequence[Sort]) -> Sort | None:
    array = sorts[0] if len(sorts) == 2 else None
    return array.range if isinstance(array, ArraySort) and sorts[1] == array.domain else None


def _store(sorts: Sequence[Sort]) -> Sort | None:
    array = sorts[0] if len(sorts) == 3 else None
    return array if isinstance(array, ArraySort) and tuple(sorts[1:]) == tuple(array) else None


def _list(sorts: Sequence[Sort]) -> Sort | None:
    return None if LIST in sorts else LIST


_SORTS: Mapping[str, Callable[[Sequence[Sort]], Sort | None]] = {
    "not": partial(_fixed, [BOOL], BOOL),
    "=>": partial(_fixed, [BOOL, BOOL], BOOL),
    "abs": partial(_fixed, [INT], INT),
    "to_real": partial(_fixed, [INT], REAL),
    "to_int": partial(_fixed, [REAL], INT),
    **dict.fromkeys(("and", "or"), _truths),
    **dict.fromkeys(("+", "*"), _numbers),
    "-": _difference,
    **dict.fromkeys(("<", "<=", ">", ">="), _relation),
    "=": _equation,
    "distinct": _distinct,
    "ite": _choice,
    "select": _select,
    "store": _store,
    "@purify": _purified,
    "@list": _list,
}
"""Operator -> function from the sorts of its arguments to its own sort, None if they are wrong.

``@purify`` of a term is another name for its value. ``@list`` is a list of terms, which is no term's argument.
"""
_NO_NAME = re.compile(r"[@#\d]|-\d|$")
RESERVED = frozenset({*_SORTS, "true", "false", "let", "forall", "exists", "match", "par", "as", "_", "!", "xor"})


def literal_value(term: Term) -> Fraction | int:
    """Return the value of a literal."""
    if term.op != NUMERAL:
        raise Refused("a term is no number")
    return term.value
