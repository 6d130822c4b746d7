"""Time bounds of guarantees, such as "within 20 s after a change, a rebalance uses it".

Each is written once, for its sentence, its formula, runs, and the proof that it is attained.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from rebalance_proofs.model.machine.record import L, S
from rebalance_proofs.model.machine.values import And, Bool, Int, Span


def _now(state: Any) -> Int:
    now: Int = state.now
    return now


@dataclass(frozen=True)
class Bound(Generic[S, L]):
    """A time bound: an event comes at the latest, or at the earliest, some time after a moment."""

    span: Span
    pending: Callable[[S], Bool]
    """``pending(state)``: whether the awaited event has not come.

    For an earliest time: whether the event has come.
    """
    since: Callable[[S], Int]
    """``since(state)``: the moment in ms from which the bound counts."""
    at: Callable[[S], Int] = _now
    """``at(state)``: the moment in ms to compare with the bound.

    The event is still awaited then; for an earliest time, it came then.
    """
    sooner: bool = False
    """Whether the bound is strict: the event comes before the bound, not at it."""

    def last(self, state: S, limits: L) -> Int:
        """Return the last moment in ms at which the event may still be awaited."""
        last = self.since(state) + self.span.of(limits)
        return last - 1 if self.sooner else last

    def exceeded(self, state: S, limits: L) -> Bool:
        """Return the condition that the event is still awaited after the bound."""
        return And(self.pending(state), self.at(state) > self.last(state, limits))

    def undercut(self, state: S, limits: L) -> Bool:
        """Return the condition that the event came before the earliest permitted moment."""
        return And(self.pending(state), self.at(state) < self.last(state, limits))

    def attained(self, state: S, limits: L) -> Bool:
        """Return the condition that the event is awaited, or comes, exactly at the bound.

        If this happens in a run, no better bound holds.
        """
        return And(self.pending(state), self.at(state) == self.last(state, limits))
