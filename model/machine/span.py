"""Lengths of time, computed from limits, each with its printed formula."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.machine.values import If, Int


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
