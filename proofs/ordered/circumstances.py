"""Worlds of ordered consumption: what may go wrong around one queue, and what may not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Choices, Ordered
from rebalance_proofs.model.transition.client import ORDERLY, Mode
from rebalance_proofs.proofs.machine.world import MachineWorld
from rebalance_proofs.proofs.ordered.waiting import enough

__all__ = [
    "ALIKE",
    "ALWAYS",
    "ANYHOW",
    "IN_TIME",
    "NOT_LATER",
    "ONE_GROUP",
    "OUT_OF_TIME",
    "PREMISES",
    "PROMPT",
    "RENEWED",
    "RENEWED_AS_SHIPPED",
    "RENEWED_OUT_OF_TIME",
    "SHUTDOWN",
    "SHUT_TOO_SOON",
    "SOON_OUT_OF_TIME",
    "Circumstances",
    "needed",
]


@dataclass(frozen=True)
class Circumstances(MachineWorld[Ordered, Choices, Limits]):
    """A world in which all premises hold, or all but one; or all, and one more; or none is required."""

    renewed: bool = False
    """Whether renewals are in time (``Limits.renewal``)."""
    premised: bool = True
    """Whether the premises of ``PREMISES`` hold, but for the one that is dropped."""
    late: bool = False
    """Whether requests for the lock of a queue without an entry are no later than ``Limits.late``."""
    alike: bool = False
    """Whether all consumers of the group put the first pull of a new entry off, and renewals come before a lock runs
    out."""
    prompt: bool = False
    """Whether a consumer's requests are answered at once, and nothing of them is lost."""
    encoding: Any = None
    """Encoding of the client that the premises are about; None as long as nobody evaluates them."""
    kind: ClassVar[str] = "ordered"
    modes: ClassVar[tuple[Mode, ...]] = (ORDERLY,)
    """The ways to use a client that the world is about."""

    def keeps(self, name: str) -> bool:
        """Whether the premise of that name holds."""
        return self.premised and self.name != name

    @property
    def twins(self) -> bool:
        return self.name == TWIN

    def beside(self, encoding: Any) -> Self:
        return replace(self, encoding=encoding)

    def touches(self, action: str) -> bool:
        """Whether a premise in which the world differs from ``IN_TIME`` may be about that action."""
        return self.renewed or action in TOUCHED.get(self.name, ())

    def trusted(self, limits: Limits) -> Limits:
        """The limits, with ``client`` lowered to the longest time after the lock's stamp at which a listener can
        begin."""
        if not self.renewed:
            return limits
        return limits.but(client=If(limits.renewal < limits.client, limits.renewal, limits.client))

    @property
    def excludes(self) -> Mapping[str, str]:
        restarts = {"restarts": BROKER_RESTARTS.sentence} if self.keeps(RESTART) else {}
        return restarts | ({"unsubscribes": SUBSCRIBED} if self.prompt else {})

    def soon(self, limits: Limits) -> dict[str, Bool]:
        """Premises on the limits besides the condition, by sentence."""
        if not self.alike:
            return {}
        return {
            "renewals come before a lock runs out": limits.delay + limits.renewal <= limits.broker,
            "a first pull comes before its lock is not trusted in": And(
                limits.first_pull <= limits.client, limits.first_pull <= limits.renewal
            ),
        }

    def waits(self, state: Ordered, until: Int, limits: Limits) -> Bool:
        """Whether time may pass until then: no listener has to return before, and no answer to arrive; and no renewal
        is due, if renewals are in time."""
        s = state
        may = And(
            until >= s.now,
            Implies(s.runs, until <= s.since + limits.listener),
            Implies(s.answered, until <= s.answered_at + limits.delay),
            Implies(s.adding, until <= s.adding_at + limits.delay),
        )
        if not self.renewed:
            return may
        return And(may, Implies(self.encoding.listed(s), until <= s.stamp + limits.renewal))

    def allows(self, action: str, state: Ordered, choices: Choices, limits: Limits) -> Bool:
        """Whether the premises allow a consumer's action that the client itself could do."""
        s = state
        if self.prompt:
            return self._prompt(action, s, choices)
        if action == "locks":
            return And(Or(not self.keeps(OVERTAKEN), Not(s.unlocking)), Or(not self.keeps(RETURN), Not(s.later)))
        if action == "renews" and self.late:
            return Or(s.present, s.adding, s.now <= s.left + limits.late)
        if action == "renews" and self.premised and not self.encoding.rules.renews_on:
            waits = limits.wait if self.encoding.rules.waits_for_listener else 0
            begun = s.waits_since - If(s.cut, waits, 0)
            return Implies(s.stopping, s.now <= begun + limits.late)
        if action == "shuts" and self.keeps(SHUTDOWN):
            rules = self.encoding.rules
            # The condition for renewals that are in time says nothing of a consumer that does not renew any more.
            waits_enough = False if self.renewed and not rules.renews_on else enough(rules, limits)
            return Or(Not(Or(s.runs, s.cached)), waits_enough)
        return Not(s.runs) if action == "unsubscribes" and self.keeps(UNSUBSCRIBED) else True

    def _prompt(self, action: str, s: Ordered, c: Choices) -> Bool:
        allowed: dict[str, Bool] = {
            "renews": And(c.heard, self.encoding.listed(s)),
            "locks": And(c.heard, Not(s.stopping)),
            "adds": c.found,
            "revokes": Not(s.stopping),
            "shuts": Not(Or(s.adding, s.later)),
        }
        return allowed.get(action, True)


OVERTAKEN, RETURN, SHUTDOWN, UNSUBSCRIBED = "overtaken", "return", "shutdown", "unsubscribed"
RESTART, TWIN, TIME = "restart", "twin", "time"

TOUCHED = {OVERTAKEN: ("locks",), RETURN: ("locks",), SHUTDOWN: ("shuts",), UNSUBSCRIBED: ("unsubscribes",)}
"""By premise, the actions that it restricts; the other premises are about limits, messages and ids."""

OVERTAKEN_BY = Circumstances(
    OVERTAKEN,
    "No return of a lock arrives after a later request of the same consumer for it.",
    "a return of the lock is overtaken by the same consumer's next request for it",
)
BACK_TOO_EARLY = Circumstances(
    RETURN,
    "A queue does not come back to a consumer while the return of its lock is put off.",
    "the queue comes back to the consumer while the return of its lock is put off",
)
SHUT_UNDER_LISTENER = Circumstances(
    SHUTDOWN,
    "A consumer is shut down when it has no message of the queue to consume, or waits until its listener is called no "
    "more: `awaitTerminationMillisWhenShutdown` is more than `rocketmq.client.maxTimeConsumeContinuously` and the "
    "listener's time together; or, up to 4.9, more than half of the client's limit, the listener's time, the delay, "
    "and how late a request for a lock arrives at most, together. (Go has no such setting.)",
    "a consumer is shut down while it has messages, and does not wait until its listener is called no more, as is the "
    "default",
)
UNSUBSCRIBED_UNDER_LISTENER = Circumstances(
    UNSUBSCRIBED,
    "A topic is not unsubscribed while its listener runs.",
    "the topic is unsubscribed, and subscribed again, while the listener runs",
)
BROKER_RESTARTS = Circumstances(
    RESTART,
    "The broker does not restart, and no other broker takes its place: it would know of no lock.",
    "the broker restarts, or another one takes its place",
)
TWINS = Circumstances(
    TWIN,
    "No two consumers of the group have the same client id.",
    "two consumers have the same client id",
)
TOO_LONG = Circumstances(
    TIME,
    "The limits of time meet the client's condition.",
    "the limits of time do not meet the client's condition",
)
PREMISES = (
    TOO_LONG,
    OVERTAKEN_BY,
    BACK_TOO_EARLY,
    SHUT_UNDER_LISTENER,
    UNSUBSCRIBED_UNDER_LISTENER,
    BROKER_RESTARTS,
    TWINS,
)
"""Worlds that each drop one premise; their sentences are the premises."""

NEEDED_BY_ALL = (TIME, SHUTDOWN, RESTART, TWIN)


def needed(client: OrderedClient, premise: str) -> bool:
    """Whether two listeners can run without that premise."""
    if premise == RETURN:
        return client.puts_off
    if premise in (OVERTAKEN, UNSUBSCRIBED):
        return client.gives_back
    return premise in NEEDED_BY_ALL or (premise == RENEWED_AS_SHIPPED.name and client.forces)


ALWAYS = (
    "Consumers and broker share one clock, which does not step.",
    "The broker's master alone is asked for locks.",
    "Nobody has a message consumed by hand (`consumeMessageDirectly`), which asks for no lock.",
)
"""Premises of every world, about what the model leaves out."""
IN_TIME = Circumstances("in-time", " ".join((*(world.sentence for world in PREMISES), *ALWAYS)), dropped=False)
"""All premises hold."""
RENEWALS = (
    "Every renewal of a lock is in time: while a queue is in its table (from Java 5.0 on: and is not marked), a "
    "consumer notes one within the limit for renewals."
)
IDLE = "A consumer whose renewals end with its shutdown (up to 4.9, Go) is shut down when it has no message to consume."
RENEWED = Circumstances("renewed", f"{RENEWALS} {IDLE} {IN_TIME.sentence}", dropped=False, renewed=True)
"""All premises hold, and one more, which nothing promises."""
OTHERS = " ".join((*(world.sentence for world in PREMISES if world is not TOO_LONG), *ALWAYS))
RENEWED_AS_SHIPPED = Circumstances(
    "renewed-as-shipped",
    f"{RENEWALS} {OTHERS}",
    "every renewal is in time, with all settings as shipped",
    dropped=False,
    renewed=True,
)
"""The settings as shipped may not meet the client's condition, although renewals are in time."""
SOON = (
    "Renewals come before a lock runs out: their limit and the delay are together no longer than the broker's. All "
    "consumers of the group put the first pull of a new entry off (from 5.0 on), for no longer than a lock is trusted "
    "in, and no longer than the limit for renewals."
)
ALIKE = Circumstances("renewed-alike", f"{RENEWALS} {SOON} {IN_TIME.sentence}", dropped=False, renewed=True, alike=True)
"""The group has no older consumers."""
OUT_OF_TIME = Circumstances("out-of-time", OTHERS, dropped=False)
"""The limits do not meet the client's condition; all other premises hold."""
RENEWED_OUT_OF_TIME = Circumstances("renewed-out-of-time", f"{RENEWALS} {OTHERS}", dropped=False, renewed=True)
"""The limits do not meet the client's condition, although renewals are in time."""
SOON_OUT_OF_TIME = Circumstances(
    "renewed-alike-out-of-time", f"{RENEWALS} {SOON} {OTHERS}", dropped=False, renewed=True, alike=True
)
"""``RENEWED_OUT_OF_TIME`` with consumers that all put their first pulls off."""
SHUT_TOO_SOON = Circumstances(
    SHUTDOWN,
    " ".join((*(one.sentence for one in PREMISES if one not in (TOO_LONG, SHUT_UNDER_LISTENER)), *ALWAYS)),
    dropped=False,
)
"""A consumer is shut down, and does not wait for long enough."""
SUBSCRIBED = "No topic is unsubscribed."
PROMPT = Circumstances(
    "prompt",
    "What a consumer asks the broker is answered at once, in the order in which it was asked, and nothing is lost; "
    f"an offset is found for each queue that is added. {SUBSCRIBED} No rebalance of a consumer takes or "
    f"adds the queue while it is shut down, and no return of the lock is put off then. {TWINS.sentence}",
    dropped=False,
    premised=False,
    prompt=True,
)
"""Nothing goes wrong around a shutdown."""
ANYHOW = Circumstances("anyhow", ALWAYS[2], dropped=False, premised=False)
"""No premise is required."""
ONE_GROUP = Circumstances(
    "one-group",
    f"{TWINS.sentence} {ALWAYS[0]} {ALWAYS[1]}",
    dropped=False,
    premised=False,
)
"""Consumers of any clients share a group."""
NOT_LATER = Circumstances(
    "not-later",
    "No request for the lock of a queue arrives later than the limit for that after its entry has left. "
    f"{TWINS.sentence} {ALWAYS[0]}",
    dropped=False,
    premised=False,
    late=True,
)
"""World of the claims about how long a lock is kept without being of use to anybody."""
