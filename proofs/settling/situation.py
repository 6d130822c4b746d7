"""One client's rebalance thread, as terms: a schedule whose times are unknown."""

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from rebalance_proofs.model.settling.actions import SettlingEncoding
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import Said, State, nothing
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.settling.notices import Notices
from rebalance_proofs.proofs.settling.schedule import OBSERVES
from rebalance_proofs.proofs.settling.variables import SAID

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
    encoding: SettlingEncoding, world: Notices, limits: Limits, schedule: Schedule, times: Sequence[z3.ArithRef]
) -> Situation:
    """The schedule at those times, of a thread that was started at 0; the limits are numbers or terms."""
    limits, now = limits.terms(), z3.IntVal(0)
    state = State(now, nothing(now, limits.wait))
    constraints: dict[str, z3.BoolRef] = {}
    for place, (happens, at) in enumerate(zip(schedule, times, strict=True), start=1):
        waits = world.waits(state, at, limits)
        state = State(at, state.me)
        can = waits
        if happens.action != OBSERVES:
            turn = getattr(encoding, happens.action)(state, _said(happens), limits)
            can = z3.And(waits, turn.can, world.allows(happens.action, state))
            state = turn.after
        constraints[f"{place}: {happens.action}"] = z3.simplify(can)
    return Situation(constraints, state, limits)


def _said(happens: Happens) -> Said:
    told = dict(happens.said)
    return Said(**{name: z3.BoolVal(told.get(name, False)) for name in SAID})
