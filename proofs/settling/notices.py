"""The worlds of settling: what becomes of notifications, of the timer, and of rebalances."""

from dataclasses import dataclass
from typing import ClassVar

import z3

from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import RESETS, RUNS, WAITS, State
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.proofs.world import Premised

__all__ = ["ANY", "FAILS", "NO_TIMER", "SUCCEEDS", "TIMELY", "UNTIMELY", "Notices"]


@dataclass(frozen=True)
class Notices(Premised):
    """All premises hold, or all but one; or fewer are asked for."""

    succeeds: bool = True
    """Every rebalance that begins after the change does what it should."""
    timer: bool = True
    """The wait ends after its interval, if nothing ends it before."""
    timely: bool = False
    """No wake-up comes between the thread's look at the flag and the reset of its latch."""
    kind: ClassVar[str] = "settling"

    def allows(self, action: str, state: State) -> z3.BoolRef:
        """What the premises say of an action, one that the client itself could do."""
        me = state.me
        if action == "fails" and self.succeeds:
            return NO
        if action == "wakes" and not self.timer:
            return me.open
        if action in ("notifies", "stirs") and self.timely:
            return me.at != RESETS
        return YES

    def waits(self, state: State, until: z3.ArithRef, limits: Limits) -> z3.BoolRef:
        """Time can pass until then: nothing is due before. Only waits and rebalances take any."""
        me = state.me
        over = until <= me.since + me.interval if self.timer else YES
        waits = z3.And(me.at == WAITS, z3.Not(me.open), over)
        runs = z3.And(me.at == RUNS, until <= me.began + limits.loop)
        return z3.And(until >= state.now, z3.Or(until == state.now, z3.And(z3.Not(me.waking), z3.Or(waits, runs))))


TIMER = "The timer ends a wait that nothing else ends (`rocketmq.client.rebalance.waitInterval`)."
ALWAYS = (
    "A rebalance that begins after the change is told of it when it asks.",
    "Every rebalance of all groups of the process ends within the limit for it; the thread's other steps take no time, "
    "nor do those that wake it: a pause of the process is to be added.",
    "The process goes on, its clock does not step, and the thread is not interrupted.",
)
"""Premises that are in every world: what the model does not have."""
DOES = (
    "Every rebalance that begins after the change does what it should: no exception, no answer that is missing, and no "
    "group whose consumer is suspended."
)
SUCCEEDS = Notices("succeeds", " ".join((DOES, TIMER, *ALWAYS)), dropped=False)
"""Whatever becomes of the notification."""
FAILS = Notices("fails", " ".join((TIMER, *ALWAYS)), dropped=False, succeeds=False)
"""Rebalances may fail, too."""
NO_TIMER = Notices("timer", TIMER, "the timer ends no wait, because its interval is endless", timer=False)
BETWEEN = "No wake-up comes just when the thread has found that it was not woken, before it resets its latch."
TIMELY = Notices("in-time", " ".join((BETWEEN, DOES, TIMER, *ALWAYS)), dropped=False, timely=True)
"""A wake-up that comes is not lost."""
UNTIMELY = Notices(
    "timely",
    BETWEEN,
    "a wake-up comes just when the thread has found that it was not woken, before it resets its latch",
)
ANY = Notices("any", " ".join(ALWAYS), dropped=False, succeeds=False)
"""Nothing else is asked for."""
