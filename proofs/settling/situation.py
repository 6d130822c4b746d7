"""One client's rebalance thread, as terms: a schedule whose times are unknown."""

from collections.abc import Sequence

import z3

from rebalance_proofs.model.settling.actions import SettlingEncoding
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import Said, State, nothing
from rebalance_proofs.proofs import timed_situation
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.records import chosen
from rebalance_proofs.proofs.settling.notices import Notices
from rebalance_proofs.proofs.settling.schedule import OBSERVES

__all__ = ["Situation", "situation"]


Situation = timed_situation.Situation[State, Limits]


def situation(
    encoding: SettlingEncoding, world: Notices, limits: Limits, schedule: Schedule, times: Sequence[z3.ArithRef]
) -> Situation:
    """The schedule at those times, of a thread that was started at 0; the limits are numbers or terms."""
    limits, now = limits.terms(), z3.IntVal(0)

    def acts(happens: Happens, before: State, at: z3.ArithRef) -> tuple[Sequence[z3.BoolRef], State]:
        state = State(at, before.me)
        if happens.action == OBSERVES:
            return (), state
        turn = getattr(encoding, happens.action)(state, chosen(Said, dict(happens.said)), limits)
        return (turn.can, world.allows(happens.action, state)), turn.after

    first = State(now, nothing(now, limits.wait))
    return timed_situation.situated(first, limits, schedule, times, world.waits, acts)
