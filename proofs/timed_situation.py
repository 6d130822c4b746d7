"""A schedule as terms whose times are unknown, of one state that actions and time change."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import z3

from rebalance_proofs.proofs.happens import Happens, Schedule

__all__ = ["Situation", "situated"]

State = TypeVar("State")
Limits = TypeVar("Limits")


@dataclass(frozen=True)
class Situation(Generic[State, Limits]):
    """What is asked of a schedule."""

    constraints: dict[str, z3.BoolRef]
    """Each action is possible in its turn; in words."""
    state: State
    """What is so in the end; of several copies the first one's, as it sees it."""
    limits: Limits
    states: tuple[State, ...] = ()
    """Of several copies each one's, as it sees it."""


def situated(
    first: State,
    limits: Limits,
    schedule: Schedule,
    times: Sequence[z3.ArithRef],
    waits: Callable[[State, z3.ArithRef, Limits], z3.BoolRef],
    acts: Callable[[Happens, State, z3.ArithRef], tuple[Sequence[z3.BoolRef], State]],
) -> Situation[State, Limits]:
    """The schedule at those times.

    ``waits(state, at, limits)``: time can pass until then. ``acts(happens, state, at)``: what an action at that time
    takes, and the state after it, where ``state`` is still that of the action before.
    """
    state = first
    constraints: dict[str, z3.BoolRef] = {}
    for place, (happens, at) in enumerate(zip(schedule, times, strict=True), start=1):
        passes = waits(state, at, limits)
        takes, state = acts(happens, state, at)
        constraints[f"{place}: {happens.action}"] = z3.simplify(z3.And(passes, *takes))
    return Situation(constraints, state, limits)
