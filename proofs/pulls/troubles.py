"""Sets of assumptions of claims about pull requests: the possible failures."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from rebalance_proofs.model.machine.values import And, Bool, Not
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.pulls.clients import PullsClient
from rebalance_proofs.model.pulls.limits import Limits
from rebalance_proofs.model.pulls.state import Choices, Pulls
from rebalance_proofs.model.transition.client import ORDERLY, PUSH, Mode

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
    "a push consumer that sends pull requests (not POP) and is not shut down",
    "no `GO_AWAY` from a broker, and no exception from a Netty write",
    "no delay between marking a process queue as dropped and removing it from the table",
    "the lock of an added ordered queue granted by the broker",
    "no rebalance that ends before it reaches the queue: known queues and ids, no exception from strategy or, on "
    "removal, offset store",
    "no suspended consumer unless the claim mentions suspension",
)
"""Assumptions of every claim about pull requests: behaviour outside the model."""
NO_STORE = "no exception from the offset store"
NO_ERRORS = "no `Error` in `pullMessage`"
NO_CALLBACK = "no `Error` in the callback of a pull"
NO_INTERRUPT = "no interrupt of a client thread"
NO_HOOK = "no `Exception` from an RPC hook"
IN_TIME = "connection setup and callback of each waiting pull completed within the pull timeout (30 s)"
AT_ONCE = "every task that the client submits for immediate execution done before the client's next rebalance"
NOT_SUSPENDED = "no suspended consumer"
ANSWERED = "no removal of an ordered process queue while its first pull looks up the offset (5 s or more)"
NOT_LATE = "no `OFFSET_ILLEGAL` answer after the removal of the process queue"
EXCLUDED = {
    "throws": NO_STORE,
    "errs": NO_ERRORS,
    "breaks": NO_CALLBACK,
    "interrupts": NO_INTERRUPT,
    "hooks": NO_HOOK,
    "overtime": IN_TIME,
}
"""Actions that some sets of assumptions exclude, each with the excluding assumption."""


@dataclass(frozen=True)
class Troubles(MachineWorld[Pulls, Choices, Limits]):
    """A set of assumptions about pull requests: all hold, or all but one."""

    meets: tuple[str, ...] = ()
    """Actions of ``EXCLUDED`` that are possible nevertheless."""
    prompt: bool = False
    """Whether a task that is due immediately runs before the next rebalance."""
    queried: bool = False
    """Whether a process queue stays in the table during the offset query of its first pull."""
    late_answers: bool = True
    """Whether an illegal-offset answer may come after the removal of the process queue."""
    suspends: bool = True
    """Whether the consumer may be suspended and resumed."""
    kind: ClassVar[str] = "pulls"
    modes: ClassVar[tuple[Mode, ...]] = (PUSH, ORDERLY)
    """The modes of use of the client that the assumptions cover."""

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
        return {"the idle limit is at least 0": limits.limit >= 0}

    def of(self, client: PullsClient) -> "Troubles":
        """Return these assumptions for a client.

        ``prompt`` is left out if no task of the client is due immediately.
        """
        return replace(self, prompt=self.prompt and client.rules.repairs_at_once)


LOSING = ("throws", "breaks", "interrupts", "hooks")

QUIET = Troubles("quiet", (NO_STORE, NO_ERRORS, NO_CALLBACK, NO_INTERRUPT, NO_HOOK, IN_TIME, *ALWAYS))
"""Assumptions that exclude all failures except those that the client handles.

A failed pull counts as answered.
"""
QUERIED = Troubles("queried", (ANSWERED, *QUIET.premises), queried=True)
ENTERED = Troubles("query", QUERIED.premises, "it is removed while its first pull looks up the offset", drops=ANSWERED)


def _but(name: str, otherwise: str, drops: str, action: str) -> Troubles:
    """Return ``QUIET`` without the assumption ``drops``, so that ``action`` is possible."""
    return Troubles(name, QUIET.premises, otherwise, drops=drops, meets=(action,))


STORE = _but("store", "a custom offset store throws on a pull's read", NO_STORE, "throws")
ERROR = _but("error", "an `Error` is thrown in `pullMessage`", NO_ERRORS, "errs")
CALLBACK = _but("callback", "an `Error` is thrown in the pull callback", NO_CALLBACK, "breaks")
INTERRUPT = _but("interrupt", "a thread is interrupted while it queues a request", NO_INTERRUPT, "interrupts")
HOOK = _but("hook", "an RPC hook throws an `Exception` on a pull", NO_HOOK, "hooks")
CONNECTED = Troubles("connected", (IN_TIME, *ALWAYS), meets=(*LOSING, "errs"))
"""Assumptions under which requests may get lost in every known way."""
CONNECTION = Troubles(
    "connection",
    CONNECTED.premises,
    "its connection takes longer than the timeout (30 s)",
    drops=IN_TIME,
    meets=(*LOSING, "overtime"),
)
NO_ERROR = Troubles("no-error", (NO_ERRORS, *ALWAYS), meets=(*LOSING, "overtime"))
"""Assumptions under which requests may get lost in almost every known way.

An ``Error`` in ``pullMessage`` is excluded.
"""
LOST = Troubles(
    "error",
    NO_ERROR.premises,
    "an `Error` is thrown in `pullMessage`",
    drops=NO_ERRORS,
    meets=(*LOSING, "overtime", "errs"),
)
PROMPT = Troubles(
    "prompt",
    (AT_ONCE, NOT_LATE, IN_TIME, *ALWAYS),
    meets=(*LOSING, "errs"),
    prompt=True,
    late_answers=False,
)
LATE_ANSWER = Troubles(
    "late-answer",
    PROMPT.premises,
    "`OFFSET_ILLEGAL` arrives after the removal",
    drops=NOT_LATE,
    meets=(*LOSING, "errs"),
    prompt=True,
)

ANYTHING = (*LOSING, "overtime", "errs")
WHATEVER = Troubles("whatever", ALWAYS, meets=ANYTHING)
"""Assumptions under which requests may get lost in every known way, and pulls may be late."""
RUNNING = Troubles("running", (NOT_SUSPENDED, *ALWAYS), meets=ANYTHING, suspends=False)
SUSPENDED = Troubles("running", RUNNING.premises, "the consumer is suspended", drops=NOT_SUSPENDED, meets=ANYTHING)


def loses(client: PullsClient, world: Troubles) -> bool:
    """Return whether the failure that ``world`` allows makes the client lose a request."""
    survives = {
        CALLBACK.name: client.rules.callback_survives,
        HOOK.name: client.rules.hook_heard,
    }
    return not survives.get(world.name, False)
