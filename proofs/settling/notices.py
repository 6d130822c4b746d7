"""Sets of assumptions about notifications, the timer, and rebalances."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not, Or
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.machine import Choices, Service
from rebalance_proofs.model.settling.service_thread import RESETS, RUNS, WAITS, WOKEN

__all__ = [
    "ANYHOW",
    "FAILS",
    "INTERRUPTED",
    "INTERRUPTIBLE",
    "NO_TIMER",
    "RESUMED",
    "SUCCEEDS",
    "TIMELY",
    "UNRESUMED",
    "UNTIMELY",
    "Notices",
]

NO_INTERRUPT = "no interrupt of the rebalance thread"
TIMER = "a timer that ends every wait after `rocketmq.client.rebalance.waitInterval`"
ALWAYS = (
    "every rebalance that begins after the change gets the new member list",
    "every rebalance of all groups of the process ends within maxRebalance",
    "no delay in the rebalance thread besides waits and rebalances (add pauses of the process to the time)",
    "a process that keeps running",
    "no clock jumps",
    NO_INTERRUPT,
)
"""Assumptions of every claim about settling: behaviour outside the model."""
DOES = "every rebalance after the change succeeds: no exception, no missing answer, no suspended group"
BETWEEN = "no wake-up between the thread's check of its flag and the reset of its latch"
NOBODY = "no resume and no offset reset of a consumer of the process: both rebalance in the caller's thread"
ROUND = "a round: one wait and one rebalance"
PER_FAILURE = ", plus one round per failure"


@dataclass(frozen=True)
class Notices(MachineWorld[Service, Choices, Limits]):
    """A set of assumptions about settling: all hold, all but one, or fewer."""

    succeeds: bool = True
    """Whether every rebalance that begins after the change succeeds."""
    timer: bool = True
    """Whether a wait for a wake-up ends after its interval at the latest."""
    timely: bool = False
    """Whether no wake-up comes after the thread checks its flag, but before it resets its latch."""
    resumed: bool = True
    """Whether a consumer of the process may be resumed, or have its offsets reset."""
    interrupted: bool = False
    """Whether other threads may interrupt the rebalance thread."""
    kind: ClassVar[str] = "settling"
    definitions: ClassVar[Mapping[str, str]] = {PER_FAILURE: ROUND}

    @property
    def excludes(self) -> Mapping[str, str]:
        found = {"fails": DOES} if self.succeeds else {}
        if not self.resumed:
            found |= {"resumes": NOBODY, "returns": NOBODY}
        if not self.interrupted:
            found |= dict.fromkeys(("interrupts", "gives_up", "swallows"), NO_INTERRUPT)
        return found

    def allows(self, action: str, state: Service, choices: Choices, limits: Limits) -> Bool:
        if action == "wakes" and not self.timer:
            return state.open
        if action in ("notifies", "stirs") and self.timely:
            return state.at != RESETS
        return True

    def waits(self, state: Service, until: Int, limits: Limits) -> Bool:
        """Return whether time can pass until ``until``; only waits and rebalances take time.

        A pending interrupt ends every wait at once. If it stays pending, the thread is busy until minInterval is over.
        """
        over = until <= state.since + state.interval if self.timer else True
        waits = And(state.at == WAITS, Not(state.open), over)
        if self.interrupted:
            spins = And(state.at == WOKEN, state.interrupted, state.spent, until <= state.last + limits.least)
            waits = Or(And(waits, Not(state.interrupted)), spins)
        runs = And(state.at == RUNS, until <= state.began + limits.loop)
        called = Implies(state.called, until <= state.called_at + limits.loop)
        passes = And(Not(state.waking), Or(waits, runs), called)
        return And(until >= state.now, Or(until == state.now, passes))


SUCCEEDS = Notices("succeeds", (DOES, TIMER, *ALWAYS))
"""Assumptions under which rebalances succeed, with or without a notification."""
FAILS = Notices("fails", (TIMER, *ALWAYS), when=PER_FAILURE, succeeds=False)
"""Assumptions under which rebalances may fail, too."""
NO_TIMER = Notices("timer", SUCCEEDS.premises, "the timer fails", drops=TIMER, timer=False)
TIMELY = Notices("in-time", (BETWEEN, DOES, TIMER, *ALWAYS), timely=True)
"""Assumptions under which no wake-up is lost."""
UNTIMELY = Notices("timely", TIMELY.premises, "a wake-up is lost", drops=BETWEEN)
ANYHOW = Notices("anyhow", ALWAYS, succeeds=False)
"""Only the assumptions ``ALWAYS``: rebalances may fail, and wake-ups come at any time.

Consumers may be resumed, too.
"""
UNRESUMED = Notices("unresumed", (NOBODY, *ALWAYS), succeeds=False, resumed=False)
"""As ``ANYHOW``, but no consumer is resumed or resets its offsets."""
RESUMED = Notices("resume", UNRESUMED.premises, "a consumer is resumed or resets offsets", drops=NOBODY, succeeds=False)
INTERRUPTED = Notices("interrupt", ALWAYS, "interrupted", drops=NO_INTERRUPT, succeeds=False, interrupted=True)
INTERRUPTIBLE = Notices(
    "interrupts", tuple(one for one in ALWAYS if one != NO_INTERRUPT), succeeds=False, interrupted=True
)
"""As ``ANYHOW``, and other threads may interrupt the rebalance thread, too."""
