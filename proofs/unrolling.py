"""Unrolling of a schedule with unknown times, over a state that actions and time change."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import z3

from rebalance_proofs.proofs.happens import Happens, Schedule

__all__ = ["Unrolling", "unrolled_by"]

State = TypeVar("State")
Limits = TypeVar("Limits")


@dataclass(frozen=True)
class Unrolling(Generic[State, Limits]):
    """The unrolling: its constraints and its last state."""

    constraints: dict[str, z3.BoolRef]
    """By action, the constraint that the action is possible in its turn; keys are in words."""
    state: State
    """The state after the last action; of several copies the first one's, as it sees it."""
    limits: Limits
    states: tuple[State, ...] = ()
    """Of several copies each one's, as it sees it."""


def unrolled_by(
    first: State,
    limits: Limits,
    schedule: Schedule,
    times: Sequence[z3.ArithRef],
    waits: Callable[[State, z3.ArithRef, Limits], z3.BoolRef],
    acts: Callable[[Happens, State, z3.ArithRef], tuple[Sequence[z3.BoolRef], State]],
) -> Unrolling[State, Limits]:
    """Unroll the schedule at those times.

    ``waits(state, at, limits)``: the condition that time can pass until ``at``. ``acts(happens, state, at)``: the
    guards of an action at that time and its successor state, where ``state`` is the one after the previous action.
    """
    state = first
    constraints: dict[str, z3.BoolRef] = {}
    for place, (happens, at) in enumerate(zip(schedule, times, strict=True), start=1):
        passes = waits(state, at, limits)
        takes, state = acts(happens, state, at)
        constraints[f"{place}: {happens.action}"] = z3.simplify(z3.And(passes, *takes))
    return Unrolling(constraints, state, limits)
