"""One member of a group at one broker, as terms: a schedule whose times are unknown."""

from collections.abc import Sequence

import z3

from rebalance_proofs.model.registry.actions import RegistryEncoding
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Said, State, nobody
from rebalance_proofs.proofs import timed_situation
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.records import chosen
from rebalance_proofs.proofs.registry.membership import Membership
from rebalance_proofs.proofs.registry.schedule import OBSERVES

__all__ = ["Situation", "situation"]


Situation = timed_situation.Situation[State, Limits]


def situation(
    encoding: RegistryEncoding, world: Membership, limits: Limits, schedule: Schedule, times: Sequence[z3.ArithRef]
) -> Situation:
    """The schedule at those times, at a broker that was started at 0; the limits are numbers or terms."""
    limits, now = limits.terms(), z3.IntVal(0)

    def acts(happens: Happens, before: State, at: z3.ArithRef) -> tuple[Sequence[z3.BoolRef], State]:
        state = State(at, before.me)
        if happens.action == OBSERVES:
            return (), state
        said = chosen(Said, {"off": world.off, "later": world.later} | dict(happens.said))
        turn = getattr(encoding, happens.action)(state, said, limits)
        return (turn.can, world.allows(happens.action, state, said, limits)), turn.after

    return timed_situation.situated(State(now, nobody(now)), limits, schedule, times, world.waits, acts)
