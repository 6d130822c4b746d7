"""The worlds of settling: what happens to notifications, to the timer, and to rebalances."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not, Or
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.machine import Choices, Service
from rebalance_proofs.model.settling.service_thread import RESETS, RUNS, WAITS
from rebalance_proofs.proofs.machine.world import MachineWorld

__all__ = ["ANYHOW", "FAILS", "NO_TIMER", "RESUMED", "SUCCEEDS", "TIMELY", "UNRESUMED", "UNTIMELY", "Notices"]

TIMER = "The timer ends a wait that nothing else ends (`rocketmq.client.rebalance.waitInterval`)."
ALWAYS = (
    "A rebalance that begins after the change is told of it when it asks.",
    "Every rebalance of all groups of the process ends within the limit for it; the thread's other steps take no time, "
    "nor do those that wake it: a pause of the process is to be added.",
    "The process goes on, its clock does not step, and the thread is not interrupted.",
)
"""Premises of every world: behaviour that the model does not have."""
DOES = (
    "Every rebalance that begins after the change does what it should: no exception, no answer that is missing, and no "
    "group whose consumer is suspended."
)
BETWEEN = "No wake-up comes just when the thread has found that it was not woken, before it resets its latch."
NOBODY = (
    "Nobody resumes a consumer of the process, and nobody resets its offsets, which resumes it: that rebalances in the "
    "thread of its caller."
)


@dataclass(frozen=True)
class Notices(MachineWorld[Service, Choices, Limits]):
    """A world of settling: all premises hold, or all but one, or fewer are assumed."""

    succeeds: bool = True
    """Whether every rebalance that begins after the change succeeds."""
    timer: bool = True
    """Whether a wait that nothing else ends is ended after its interval."""
    timely: bool = False
    """Whether no wake-up comes between the thread's look at the flag and the reset of its latch."""
    resumed: bool = True
    """Whether somebody may resume a consumer of the process, or reset its offsets."""
    kind: ClassVar[str] = "settling"

    @property
    def excludes(self) -> Mapping[str, str]:
        fails = {"fails": DOES} if self.succeeds else {}
        return fails if self.resumed else fails | {"resumes": NOBODY, "returns": NOBODY}

    def allows(self, action: str, state: Service, choices: Choices, limits: Limits) -> Bool:
        if action == "wakes" and not self.timer:
            return state.open
        if action in ("notifies", "stirs") and self.timely:
            return state.at != RESETS
        return True

    def waits(self, state: Service, until: Int, limits: Limits) -> Bool:
        """Whether time can pass until then; only waits and rebalances take any time."""
        over = until <= state.since + state.interval if self.timer else True
        waits = And(state.at == WAITS, Not(state.open), over)
        runs = And(state.at == RUNS, until <= state.began + limits.loop)
        called = Implies(state.called, until <= state.called_at + limits.loop)
        passes = And(Not(state.waking), Or(waits, runs), called)
        return And(until >= state.now, Or(until == state.now, passes))


SUCCEEDS = Notices("succeeds", " ".join((DOES, TIMER, *ALWAYS)), dropped=False)
"""The world in which rebalances succeed, whether the notification arrives or not."""
FAILS = Notices(
    "fails",
    " ".join((TIMER, *ALWAYS)),
    dropped=False,
    when="; and each one that begins after the change and fails adds at most one such wait and one such rebalance",
    succeeds=False,
)
"""The world in which rebalances may fail, too."""
NO_TIMER = Notices("timer", TIMER, "the timer ends no wait, because its interval is endless", timer=False)
TIMELY = Notices(
    "in-time",
    " ".join((BETWEEN, DOES, TIMER, *ALWAYS)),
    dropped=False,
    when=f", if {BETWEEN[0].lower()}{BETWEEN[1:-1]}",
    timely=True,
)
"""The world in which no wake-up is lost."""
UNTIMELY = Notices(
    "timely",
    BETWEEN,
    "a wake-up comes just when the thread has found that it was not woken, before it resets its latch",
)
ANYHOW = Notices("anyhow", " ".join(ALWAYS), dropped=False, succeeds=False)
"""The world in which anything may happen: rebalances fail, consumers are resumed, and wake-ups come at any time."""
UNRESUMED = Notices(
    "unresumed",
    " ".join((NOBODY, *ALWAYS)),
    dropped=False,
    when=", if nobody resumes a consumer of its process, or resets its offsets",
    succeeds=False,
    resumed=False,
)
"""The world in which nobody resumes a consumer; anything else may happen."""
RESUMED = Notices(
    "resume",
    NOBODY,
    "somebody resumes a consumer of the process, or resets its offsets",
    succeeds=False,
)
