"""Operators on a machine's numbers and truth values.

Python values give a Python value; a term gives a term.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.terms import smt

Int = int | smt.IntTerm
Bool = bool | smt.BoolTerm
Value = bool | int | smt.Term


def And(*values: Bool) -> Bool:
    """Conjunction; true if there are no operands."""
    return smt.And(*values) if any(map(smt.is_expr, values)) else all(values)


def Or(*values: Bool) -> Bool:
    """Disjunction; false if there are no operands."""
    return smt.Or(*values) if any(map(smt.is_expr, values)) else any(values)


def Not(value: Bool) -> Bool:
    """Negation."""
    return not value if isinstance(value, bool) else smt.Not(value)


def Implies(given: Bool, then: Bool) -> Bool:
    """Implication."""
    if isinstance(given, bool) and isinstance(then, bool):
        return then or not given
    return smt.Implies(given, then)


def If(condition: Bool, then: Int, otherwise: Int) -> Int:
    """Return ``then`` if the condition holds, else ``otherwise``; both are numbers.

    A condition that is a Python value selects one branch.
    """
    if isinstance(condition, bool):
        return then if condition else otherwise
    return smt.If(condition, then, otherwise)


def Either(condition: Bool, then: Bool, otherwise: Bool) -> Bool:
    """Return ``then`` if the condition holds, else ``otherwise``; both are truth values.

    A condition that is a Python value selects one branch.
    """
    if isinstance(condition, bool):
        return then if condition else otherwise
    return smt.If(condition, term(then), term(otherwise))


def number(value: Int) -> int:
    """Return the value as a Python number. Raises ``TypeError`` for a term."""
    if isinstance(value, smt.Term):
        raise TypeError(f"{value} is a term")
    return value


def truth(value: Bool) -> bool:
    """Return the value as a Python truth value. Raises ``TypeError`` for a term."""
    if isinstance(value, smt.Term):
        raise TypeError(f"{value} is a term")
    return value


def term(value: Bool) -> smt.BoolTerm:
    """Return the value as a term."""
    return smt.BoolVal(value) if isinstance(value, bool) else value


# Lengths of time, computed from limits, each with its printed formula.


@dataclass(frozen=True)
class Span:
    """A length of time, with its value and its printed formula.

    Both are made together, so that no sentence prints another formula.
    """

    words: str
    """Printed formula, such as ``max(waitInterval, minInterval) + 2 x maxRebalance``."""
    of: Callable[[Any], Int]
    """``of(limits)`` returns the length in ms; the limits are numbers or terms."""

    def __add__(self, other: "Span") -> "Span":
        return Span(f"{self.words} + {other.words}", lambda limits: self.of(limits) + other.of(limits))


def limit(name: str, words: str) -> Span:
    """Return the length of the limit in the field ``name``, printed as ``words``."""

    def of(limits: Any) -> Int:
        found: Int = getattr(limits, name)
        return found

    return Span(words, of)


def twice(span: Span) -> Span:
    """Return a length of time that is twice as long."""
    return Span(f"2 x {span.words}", lambda limits: 2 * span.of(limits))


def longer(one: Span, other: Span) -> Span:
    """Return the longer of two lengths."""

    def of(limits: Any) -> Int:
        first, second = one.of(limits), other.of(limits)
        return If(second > first, second, first)

    return Span(f"max({one.words}, {other.words})", of)
