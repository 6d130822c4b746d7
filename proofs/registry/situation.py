"""One member of a group at one broker, as terms: a schedule whose times are unknown."""

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from rebalance_proofs.model.registry.actions import RegistryEncoding
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Said, State, nobody
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.registry.membership import Membership
from rebalance_proofs.proofs.registry.schedule import OBSERVES
from rebalance_proofs.proofs.registry.variables import SAID

__all__ = ["Situation", "situation"]


@dataclass(frozen=True)
class Situation:
    """What is asked of a schedule."""

    constraints: dict[str, z3.BoolRef]
    """Each action is possible in its turn; in words."""
    state: State
    """What is so in the end."""
    limits: Limits


def situation(
    encoding: RegistryEncoding, world: Membership, limits: Limits, schedule: Schedule, times: Sequence[z3.ArithRef]
) -> Situation:
    """The schedule at those times, at a broker that was started at 0; the limits are numbers or terms."""
    limits, now = limits.terms(), z3.IntVal(0)
    state = State(now, nobody(now))
    constraints: dict[str, z3.BoolRef] = {}
    for place, (happens, at) in enumerate(zip(schedule, times, strict=True), start=1):
        waits = world.waits(state, at, limits)
        state = State(at, state.me)
        can = waits
        if happens.action != OBSERVES:
            said = _said(happens, world)
            turn = getattr(encoding, happens.action)(state, said, limits)
            can = z3.And(waits, turn.can, world.allows(happens.action, state, said, limits))
            state = turn.after
        constraints[f"{place}: {happens.action}"] = z3.simplify(can)
    return Situation(constraints, state, limits)


def _said(happens: Happens, world: Membership) -> Said:
    told = {"off": world.off, "later": world.later} | dict(happens.said)
    return Said(**{name: z3.BoolVal(told.get(name, False)) for name in SAID})
