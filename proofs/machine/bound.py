"""Time bounds of guarantees.

Each is written once, for its sentence, its formula, runs, and the proof that it is attained.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from rebalance_proofs.model.machine.record import L, S
from rebalance_proofs.model.machine.span import Span
from rebalance_proofs.model.machine.values import And, Bool, Int

__all__ = ["Bound"]


def _now(state: Any) -> Int:
    now: Int = state.now
    return now


@dataclass(frozen=True)
class Bound(Generic[S, L]):
    """A time bound: something ends at the latest, or begins at the earliest, a span after a moment."""

    span: Span
    pending: Callable[[S], Bool]
    """``pending(state)``: whether it has not ended; or whether it has begun."""
    since: Callable[[S], Int]
    """``since(state)``: the moment in ms from which the time counts."""
    at: Callable[[S], Int] = _now
    """``at(state)``: the moment at which it is still pending; or at which it began."""
    sooner: bool = False
    """Whether the bound is strict: it is over before the time is."""

    def last(self, state: S, limits: L) -> Int:
        """Return the last permitted moment, in ms."""
        last = self.since(state) + self.span.of(limits)
        return last - 1 if self.sooner else last

    def exceeded(self, state: S, limits: L) -> Bool:
        """Check whether it is still pending after the last permitted moment."""
        return And(self.pending(state), self.at(state) > self.last(state, limits))

    def undercut(self, state: S, limits: L) -> Bool:
        """Check whether it has begun before the earliest permitted moment."""
        return And(self.pending(state), self.at(state) < self.last(state, limits))

    def attained(self, state: S, limits: L) -> Bool:
        """Check whether it is pending, or begins, exactly at the bound.

        If this happens in a run, no better bound holds.
        """
        return And(self.pending(state), self.at(state) == self.last(state, limits))
