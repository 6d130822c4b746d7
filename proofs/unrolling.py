"""Unrolling of a schedule with unknown times: constraints for all its actions, as terms."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from rebalance_proofs.model.terms import smt

State = TypeVar("State")
Limits = TypeVar("Limits")


@dataclass(frozen=True)
class Unrolling(Generic[State, Limits]):
    """An unrolled schedule: constraints for its actions, and the state after it."""

    constraints: dict[str, smt.BoolTerm]
    """Action in words -> the constraint that it is possible at that point of the schedule."""
    state: State
    """The state after the last action.

    With several copies (consumers), as the first copy sees it.
    """
    limits: Limits
    states: tuple[State, ...] = ()
    """The state after the last action, as each copy of the encoding sees it."""
