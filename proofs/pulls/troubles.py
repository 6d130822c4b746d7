"""The worlds of pull requests: which failures a pulling consumer may meet."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from rebalance_proofs.model.machine.values import And, Bool, Not
from rebalance_proofs.model.pulls.clients import PullsClient
from rebalance_proofs.model.pulls.limits import Limits
from rebalance_proofs.model.pulls.state import Choices, Pulls
from rebalance_proofs.model.transition.client import ORDERLY, PUSH, Mode
from rebalance_proofs.proofs.machine.world import MachineWorld

__all__ = [
    "CALLBACK",
    "CONNECTED",
    "CONNECTION",
    "ENTERED",
    "ERROR",
    "HOOK",
    "INTERRUPT",
    "LATE_ANSWER",
    "LOST",
    "NO_ERROR",
    "PROMPT",
    "QUERIED",
    "QUIET",
    "RUNNING",
    "STORE",
    "SUSPENDED",
    "WHATEVER",
    "Troubles",
    "loses",
]

ALWAYS = (
    "The consumer pulls itself, with push, and is not shut down.",
    "No broker tells it to go away (`GO_AWAY`), and a write of Netty's does not throw.",
    "An entry leaves the table and is marked at one moment.",
    "The broker grants the lock of an ordered queue that is added.",
    "A rebalance comes to the queue and is not stopped there: the topic's queues and the group's ids are known, the "
    "strategy does not throw, nor does the offset store when an entry is taken out, and the consumer is suspended only "
    "where that is said.",
)
"""Premises of every world: behaviour that the model does not have."""
NO_STORE = "The offset store does not throw."
NO_ERRORS = "No `Error` is thrown in `pullMessage`."
NO_CALLBACK = "No `Error` is thrown while an answer is processed."
NO_INTERRUPT = "No thread of the client's is interrupted."
NO_HOOK = "No RPC hook throws an `Exception`."
IN_TIME = "A pull's connection is there, and what waits for it is called, while the pull's time runs (30 s)."
AT_ONCE = "A task that is to be done at once is done before the next rebalance."
NOT_SUSPENDED = "The consumer is not suspended."
ANSWERED = (
    "Where listeners are ordered, an entry stays in the table while the offset is asked for at which its first pull "
    "begins (5 s, and longer where the last offset is asked for, too)."
)
NOT_LATE = "No pull is told that its offset is illegal when its entry has left the table."
EXCLUDED = {
    "throws": NO_STORE,
    "errs": NO_ERRORS,
    "breaks": NO_CALLBACK,
    "interrupts": NO_INTERRUPT,
    "hooks": NO_HOOK,
    "overtime": IN_TIME,
}
"""Actions that some worlds exclude, each with the premise that excludes it."""


@dataclass(frozen=True)
class Troubles(MachineWorld[Pulls, Choices, Limits]):
    """A world of pull requests: all premises hold, or all but one."""

    meets: tuple[str, ...] = ()
    """Actions of ``EXCLUDED`` that can happen in this world."""
    prompt: bool = False
    """Whether a task that is to be done at once is done before the next rebalance."""
    queried: bool = False
    """Whether an entry stays in the table while the offset of its first pull is being queried."""
    late_answers: bool = True
    """Whether a pull may be told that its offset is illegal when its entry has left the table."""
    suspends: bool = True
    """Whether the consumer may be suspended and resumed."""
    kind: ClassVar[str] = "pulls"
    modes: ClassVar[tuple[Mode, ...]] = (PUSH, ORDERLY)
    """The ways of using a client that the world covers."""

    @property
    def excludes(self) -> Mapping[str, str]:
        suspension = {} if self.suspends else dict.fromkeys(("suspends", "resumes"), NOT_SUSPENDED)
        return suspension | {action: premise for action, premise in EXCLUDED.items() if action not in self.meets}

    def allows(self, action: str, state: Pulls, choices: Choices, limits: Limits) -> Bool:
        if action == "illegal" and not self.late_answers:
            return Not(choices.old)
        given = []
        if action in ("adds", "revokes") and self.prompt:
            given += [state.repairing == 0, state.old_repairing == 0]
        if action in ("revokes", "repairs") and self.queried:
            given += [state.asking == 0]
        return And(*given)

    def given(self, limits: Limits) -> dict[str, Bool]:
        return {"the longest time without a pull is no less than 0": limits.limit >= 0}

    def of(self, client: PullsClient) -> "Troubles":
        """The same world for a client; without ``prompt`` if none of the client's tasks is to be done at once."""
        return replace(self, prompt=self.prompt and client.rules.repairs_at_once)


LOSING = ("throws", "breaks", "interrupts", "hooks")

QUIET = Troubles(
    "quiet",
    " ".join((NO_STORE, NO_ERRORS, NO_CALLBACK, NO_INTERRUPT, NO_HOOK, IN_TIME, *ALWAYS)),
    dropped=False,
)
"""The world without failures, except those that the client expects: a pull that fails counts as answered."""
QUERIED = Troubles("queried", f"{ANSWERED} {QUIET.sentence}", dropped=False, queried=True)
ENTERED = Troubles(
    "query",
    ANSWERED,
    "its entry goes while the offset is asked for at which an ordered queue's first pull begins",
)
STORE = Troubles("store", NO_STORE, "an offset store of the user's own throws when a pull reads it", meets=("throws",))
ERROR = Troubles("error", NO_ERRORS, "an `Error` is thrown in `pullMessage`", meets=("errs",))
CALLBACK = Troubles("callback", NO_CALLBACK, "an `Error` is thrown while an answer is processed", meets=("breaks",))
INTERRUPT = Troubles(
    "interrupt",
    NO_INTERRUPT,
    "a thread is interrupted as it puts a request into the queue of `PullMessageService`",
    meets=("interrupts",),
)
HOOK = Troubles("hook", NO_HOOK, "an RPC hook throws an `Exception` when a pull is sent", meets=("hooks",))
CONNECTED = Troubles("connected", " ".join((IN_TIME, *ALWAYS)), dropped=False, meets=(*LOSING, "errs"))
"""The world in which requests may get lost in every known way."""
CONNECTION = Troubles(
    "connection",
    IN_TIME,
    "a pull's time (30 s) is over when its connection is there and it is to be sent",
    meets=(*LOSING, "overtime"),
)
NO_ERROR = Troubles("no-error", " ".join((NO_ERRORS, *ALWAYS)), dropped=False, meets=(*LOSING, "overtime"))
"""The world in which requests may get lost in every known way except an ``Error`` in ``pullMessage``."""
LOST = Troubles("error", NO_ERRORS, "an `Error` is thrown in `pullMessage`", meets=(*LOSING, "overtime", "errs"))
PROMPT = Troubles(
    "prompt",
    " ".join((AT_ONCE, NOT_LATE, IN_TIME, *ALWAYS)),
    dropped=False,
    meets=(*LOSING, "errs"),
    prompt=True,
    late_answers=False,
)
LATE_ANSWER = Troubles(
    "late-answer",
    NOT_LATE,
    "a pull is told that its offset is illegal when its entry has left the table",
    meets=(*LOSING, "errs"),
    prompt=True,
)

ANYTHING = (*LOSING, "overtime", "errs")
WHATEVER = Troubles("whatever", " ".join(ALWAYS), dropped=False, meets=ANYTHING)
"""The world in which requests may get lost in every known way, and pulls may be late."""
RUNNING = Troubles("running", " ".join((NOT_SUSPENDED, *ALWAYS)), dropped=False, meets=ANYTHING, suspends=False)
SUSPENDED = Troubles("running", NOT_SUSPENDED, "it is suspended", meets=ANYTHING)


def loses(client: PullsClient, world: Troubles) -> bool:
    """Whether a request gets lost by the failure that the world allows."""
    survives = {
        CALLBACK.name: client.rules.callback_survives,
        HOOK.name: client.rules.hook_heard,
    }
    return not survives.get(world.name, False)
