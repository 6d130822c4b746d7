"""Limits of time that guarantees promise: each written once, for its sentence, its formula, runs, and its sharpness."""

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
    """What ends, at the latest so long after a moment; or what begins, at the earliest so long after one."""

    span: Span
    pending: Callable[[S], Bool]
    """``pending(state)``: whether it has not ended; or whether it has begun."""
    since: Callable[[S], Int]
    """``since(state)``: the moment in ms from which the time counts."""
    at: Callable[[S], Int] = _now
    """``at(state)``: the moment at which it is not over yet; or when it began."""
    sooner: bool = False
    """Whether it is over before that time is."""

    def last(self, state: S, limits: L) -> Int:
        """The last moment at which it may still be pending, in ms."""
        last = self.since(state) + self.span.of(limits)
        return last - 1 if self.sooner else last

    def exceeded(self, state: S, limits: L) -> Bool:
        """Whether it is pending though the time is over."""
        return And(self.pending(state), self.at(state) > self.last(state, limits))

    def undercut(self, state: S, limits: L) -> Bool:
        """Whether it has begun before the time was over."""
        return And(self.pending(state), self.at(state) < self.last(state, limits))

    def attained(self, state: S, limits: L) -> Bool:
        """Whether it is pending, or begins, at that very moment. If so in a run, no better limit can be promised."""
        return And(self.pending(state), self.at(state) == self.last(state, limits))
