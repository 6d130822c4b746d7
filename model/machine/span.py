"""Lengths of time that are made of limits, each with the formula that sentences print."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.machine.values import If, Int

__all__ = ["Span", "limit", "longer", "twice"]


@dataclass(frozen=True)
class Span:
    """A length of time. Its formula and its number are made together, so that no sentence shows another one."""

    words: str
    """A formula of settings and limits: ``max(waitInterval, minInterval) + 2 x maxRebalance``."""
    of: Callable[[Any], Int]
    """``of(limits)``: in ms; of a kind's limits, which are numbers or terms."""

    def __add__(self, other: "Span") -> "Span":
        return Span(f"{self.words} + {other.words}", lambda limits: self.of(limits) + other.of(limits))


def limit(name: str, words: str) -> Span:
    """One limit, by the name of its field."""

    def of(limits: Any) -> Int:
        found: Int = getattr(limits, name)
        return found

    return Span(words, of)


def twice(span: Span) -> Span:
    """Twice as long."""
    return Span(f"2 x {span.words}", lambda limits: 2 * span.of(limits))


def longer(one: Span, other: Span) -> Span:
    """The longer one of two."""

    def of(limits: Any) -> Int:
        first, second = one.of(limits), other.of(limits)
        return If(second > first, second, first)

    return Span(f"max({one.words}, {other.words})", of)
