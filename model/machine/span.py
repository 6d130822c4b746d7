"""Lengths of time that are made of limits, each with the words by which sentences call it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.machine.values import If, Int

__all__ = ["Span", "limit", "longer", "twice"]


@dataclass(frozen=True)
class Span:
    """A length of time. Its words and its number are made together, so that no sentence says another one."""

    words: str
    """As in "at most the wait and twice the longest rebalance of all groups"."""
    of: Callable[[Any], Int]
    """``of(limits)``: in ms; of a kind's limits, which are numbers or terms."""

    def __add__(self, other: "Span") -> "Span":
        return Span(f"{self.words} and {other.words}", lambda limits: self.of(limits) + other.of(limits))

    def also(self, other: "Span") -> "Span":
        """The sum, in words with commas, for sentences that would be ambiguous without."""
        return Span(f"{self.words}, and {other.words},", (self + other).of)


def limit(name: str, words: str) -> Span:
    """One limit, by the name of its field."""

    def of(limits: Any) -> Int:
        found: Int = getattr(limits, name)
        return found

    return Span(words, of)


def twice(span: Span) -> Span:
    """Twice as long."""
    return Span(f"twice {span.words}", lambda limits: 2 * span.of(limits))


def longer(one: Span, other: Span) -> Span:
    """The longer one of two."""

    def of(limits: Any) -> Int:
        first, second = one.of(limits), other.of(limits)
        return If(second > first, second, first)

    return Span(f"{one.words}, or {other.words} if that is longer,", of)
