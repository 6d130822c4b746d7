"""Unrolling of a schedule with unknown times, over a state that actions and time change."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from rebalance_proofs.model.terms import smt

__all__ = ["Unrolling"]

State = TypeVar("State")
Limits = TypeVar("Limits")


@dataclass(frozen=True)
class Unrolling(Generic[State, Limits]):
    """The unrolling: its constraints and its last state."""

    constraints: dict[str, smt.BoolTerm]
    """By action, the constraint that the action is possible in its turn; keys are in words."""
    state: State
    """The state after the last action; of several copies the first one's, as it sees it."""
    limits: Limits
    states: tuple[State, ...] = ()
    """Of several copies each one's, as it sees it."""
