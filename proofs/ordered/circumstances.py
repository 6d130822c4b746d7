"""Sets of assumptions of claims about ordered consumption of one queue."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or, number
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits, OrderedRules
from rebalance_proofs.model.ordered.state import Choices, Ordered
from rebalance_proofs.model.transition.client import ORDERLY, Mode

# How long a shutdown must wait until its consumer's listener is no longer called.


def enough(rules: OrderedRules, limits: Limits) -> Bool:
    """Return the condition that a shutdown waits long enough before it releases the locks.

    Then no listener call runs or can begin. A request that begins just before the end of the first wait must end
    within the second wait. If renewals end with the shutdown, the last call begins while the last lock is trusted,
    and both waits count.
    """
    if not rules.waits_for_listener:
        return False
    requests_end = limits.wait > limits.loop + limits.listener
    if rules.renews_on:
        return requests_end
    return Or(requests_end, 2 * limits.wait > _last_call(limits))


def least(rules: OrderedRules, limits: Limits) -> int | None:
    """Return the shortest wait that satisfies ``enough``, in ms; None if there is none.

    ``limits`` are numbers.
    """
    if not rules.waits_for_listener:
        return None
    by_requests = number(limits.loop + limits.listener) + 1
    if rules.renews_on:
        return by_requests
    by_locks = number(_last_call(limits)) // 2 + 1
    return min(by_requests, by_locks)


def _last_call(limits: Limits) -> Int:
    """Return the time from the start of the shutdown to the end of the last listener call.

    Renewals end with the shutdown.
    """
    return limits.late + limits.delay + limits.client + limits.listener


SHUTS_IDLE = "a shutdown without messages left in the process queue, or one that waits long enough for the listener"
"""The claims define "long enough", for the client that they are about."""


@dataclass(frozen=True)
class Circumstances(MachineWorld[Ordered, Choices, Limits]):
    """A set of assumptions about the consumers of one ordered queue.

    All assumptions of ``PREMISES`` hold, all but one, all and one more, or none.
    """

    renewed: bool = False
    """Whether lock renewals are assumed to be in time (``Limits.renewal``)."""
    premised: bool = True
    """Whether the assumptions of ``PREMISES`` hold, except the dropped one."""
    late: bool = False
    """Whether a lock request reaches the broker soon after its process queue is removed.

    It arrives within ``Limits.late``, or not at all.
    """
    alike: bool = False
    """Whether all consumers of the group delay the first pull of a new process queue.

    Renewals then also come before a lock expires.
    """
    prompt: bool = False
    """Whether a consumer's requests are answered immediately, and none is lost."""
    encoding: Any = None
    """Encoding of the client that the assumptions are about.

    None until an assumption is evaluated.
    """
    kind: ClassVar[str] = "ordered"
    modes: ClassVar[tuple[Mode, ...]] = (ORDERLY,)
    """The modes of use of the client that the claims cover."""

    def keeps(self, name: str) -> bool:
        """Return whether the assumption of that name holds."""
        return self.premised and self.name != name

    @property
    def twins(self) -> bool:
        return self.name == TWIN

    def beside(self, encoding: Any) -> Self:
        return replace(self, encoding=encoding)

    def touches(self, action: str) -> bool:
        """Return whether an assumption that ``IN_TIME`` does not make may concern the action."""
        return self.renewed or action in TOUCHED.get(self.name, ())

    def trusted(self, limits: Limits) -> Limits:
        """Return the limits that a consumer can rely on under these assumptions.

        ``client`` is reduced to the longest time after the lock's time stamp at which a listener can begin.
        """
        if not self.renewed:
            return limits
        return limits.but(client=If(limits.renewal < limits.client, limits.renewal, limits.client))

    @property
    def excludes(self) -> Mapping[str, str]:
        restarts = {"restarts": NO_RESTART} if self.keeps(RESTART) else {}
        if not self.prompt:
            return restarts
        ends = {} if self.name == PENDING else {"exits": NOT_PENDING}
        return {**restarts, "unsubscribes": SUBSCRIBED, **ends}

    def soon(self, limits: Limits) -> dict[str, Bool]:
        """Return the assumptions on the limits except the time condition, by sentence."""
        if not self.alike:
            return {}
        return {
            "renewals come before a lock expires": limits.delay + limits.renewal <= limits.broker,
            "a first pull comes before the client distrusts its lock": And(
                limits.first_pull <= limits.client, limits.first_pull <= limits.renewal
            ),
        }

    def waits(self, state: Ordered, until: Int, limits: Limits) -> Bool:
        """Return whether time may pass until ``until`` without an event.

        Not if a listener must return, an answer must arrive, or, for renewals in time, a renewal is due before.
        """
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
        """Return whether the assumptions allow an action of the client in a state."""
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
            # The condition for renewals in time does not cover a consumer that has stopped its renewals.
            waits_enough = False if self.renewed and not rules.renews_on else enough(rules, limits)
            return Or(Not(Or(s.runs, s.cached)), waits_enough)
        return Not(s.runs) if action == "unsubscribes" and self.keeps(UNSUBSCRIBED) else True

    def _prompt(self, action: str, s: Ordered, c: Choices) -> Bool:
        allowed: dict[str, Bool] = {
            "renews": And(c.heard, self.encoding.listed(s)),
            "locks": And(c.heard, Not(s.stopping)),
            "adds": c.found,
            "revokes": Not(s.stopping),
            "shuts": Not(Or(s.adding, And(s.later, self.name != PENDING))),
        }
        return allowed.get(action, True)


OVERTAKEN, RETURN, SHUTDOWN, UNSUBSCRIBED = "overtaken", "return", "shutdown", "unsubscribed"
RESTART, TWIN, TIME, PENDING = "restart", "twin", "time", "pending"

TOUCHED = {OVERTAKEN: ("locks",), RETURN: ("locks",), SHUTDOWN: ("shuts",), UNSUBSCRIBED: ("unsubscribes",)}
"""Assumption -> the actions that it restricts.

Assumptions that are missing here are about limits, messages and ids.
"""

IN_CONDITION = "time limits that meet the exclusivity condition"
NOT_OVERTAKEN = "no unlock overtaken by a later lock request of the same consumer"
NOT_BACK = "no queue reassigned to a consumer while the consumer's delayed unlock of it is pending"
KEEPS_TOPIC = "no unsubscribe while the listener runs"
NO_RESTART = "no broker restart, and no other broker that takes over the queue"
UNIQUE_IDS = "unique client ids in the group"
ONE_CLOCK = "no clock jumps, and the same time on consumers and broker"
MASTER = "lock requests to the master broker only"
NOT_BY_HAND = "no `consumeMessageDirectly`, which takes no lock"
ALWAYS = (ONE_CLOCK, MASTER, NOT_BY_HAND)
"""Assumptions of every claim about ordered consumption: behaviour outside the model."""
OTHERS = (NOT_OVERTAKEN, NOT_BACK, SHUTS_IDLE, KEEPS_TOPIC, NO_RESTART, UNIQUE_IDS, *ALWAYS)
"""All assumptions except the time condition.

It depends on the client, so that claims add it.
"""

OVERTAKEN_BY = Circumstances(OVERTAKEN, OTHERS, "an unlock is overtaken by the next lock request", drops=NOT_OVERTAKEN)
BACK_TOO_EARLY = Circumstances(RETURN, OTHERS, "the queue comes back before its delayed unlock", drops=NOT_BACK)
SHUT_UNDER_LISTENER = Circumstances(
    SHUTDOWN, OTHERS, "a shutdown with messages does not wait (the default)", drops=SHUTS_IDLE
)
UNSUBSCRIBED_UNDER_LISTENER = Circumstances(
    UNSUBSCRIBED, OTHERS, "the topic is unsubscribed and resubscribed under the listener", drops=KEEPS_TOPIC
)
BROKER_RESTARTS = Circumstances(RESTART, OTHERS, "the broker restarts or is replaced", drops=NO_RESTART)
TWINS = Circumstances(TWIN, OTHERS, "two consumers share a client id", drops=UNIQUE_IDS)
TOO_LONG = Circumstances(
    TIME, (IN_CONDITION, *OTHERS), "the time limits break the exclusivity condition", drops=IN_CONDITION
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
"""Assumption -> the set of assumptions without it, for claims that drop it."""

NEEDED_BY_ALL = (TIME, SHUTDOWN, RESTART, TWIN)


def needed(client: OrderedClient, premise: str) -> bool:
    """Return whether two listeners can run on one queue without that assumption."""
    if premise == RETURN:
        return client.puts_off
    if premise in (OVERTAKEN, UNSUBSCRIBED):
        return client.gives_back
    return premise in NEEDED_BY_ALL or (premise == RENEWED_AS_SHIPPED.name and client.forces)


IN_TIME = Circumstances("in-time", OTHERS)
"""All assumptions hold: those of ``OTHERS``, and the time condition."""
RENEWALS = (
    "lock renewals at most maxRenewalGap apart while the process queue is in the table (from 5.0: and not dropped)"
)
IDLE = "no message left at the shutdown of a consumer whose lock renewals end at the shutdown (only up to 4.9, and Go)"
RENEWED_SO = ", if every renewal is in time"
RENEWED = Circumstances("renewed", (RENEWALS, IDLE, *OTHERS), when=RENEWED_SO, renewed=True)
"""All assumptions hold, and one more: renewals are in time. No client guarantees this."""
RENEWED_AS_SHIPPED = Circumstances(
    "renewed-as-shipped",
    (RENEWALS, *OTHERS),
    "every renewal is in time, with default settings",
    renewed=True,
)
"""Renewals are in time, but default settings may break the client's time condition."""
SOON = (
    "maxLockDelay + maxRenewalGap <= broker.lockMaxLiveTime",
    "only consumers from 5.0 on in the group, with firstPullDelay <= client.lockMaxLiveTime and firstPullDelay <= "
    "maxRenewalGap",
)
ALIKE = Circumstances(
    "renewed-alike",
    (RENEWALS, *SOON, *OTHERS),
    when=f"{RENEWED_SO} and all consumers are 5.x",
    renewed=True,
    alike=True,
)
"""Renewals are in time, and all consumers delay first pulls.

The group has no older consumers.
"""
OUT_OF_TIME = Circumstances("out-of-time", OTHERS)
"""The limits break the client's time condition; all other assumptions hold."""
RENEWED_OUT_OF_TIME = Circumstances("renewed-out-of-time", (RENEWALS, *OTHERS), renewed=True)
"""The limits break the client's time condition, although renewals are in time."""
SOON_OUT_OF_TIME = Circumstances("renewed-alike-out-of-time", (RENEWALS, *SOON, *OTHERS), renewed=True, alike=True)
"""As ``RENEWED_OUT_OF_TIME``, for consumers that all delay their first pulls."""
SHUT_TOO_SOON = Circumstances(SHUTDOWN, tuple(one for one in OTHERS if one != SHUTS_IDLE))
"""A consumer is shut down, and does not wait long enough for its listener."""
SUBSCRIBED = "no unsubscribe"
NOT_PENDING = "no delayed unlock pending at the start of the shutdown"
PROMPT = Circumstances(
    "prompt",
    (
        "immediate broker answers, in order, and none lost",
        "a start offset found for each added queue",
        SUBSCRIBED,
        "no rebalance of the queue during the shutdown",
        NOT_PENDING,
        UNIQUE_IDS,
    ),
    premised=False,
    prompt=True,
)
"""Around a shutdown, requests are answered at once and in order, and none is lost."""
UNLOCK_PENDING = Circumstances(
    PENDING,
    PROMPT.premises,
    "a delayed unlock is pending",
    premised=False,
    prompt=True,
    drops=NOT_PENDING,
)
"""A queue was given up with cached messages within the last 20 s before the shutdown."""
ANYHOW = Circumstances("anyhow", (NOT_BY_HAND,), premised=False)
"""No assumption restricts the events."""
ONE_GROUP = Circumstances("one-group", (UNIQUE_IDS, ONE_CLOCK, MASTER), premised=False)
"""Consumers of different clients share a group."""
NOT_LATER = Circumstances(
    "not-later",
    ("no lock request later than maxLateRequest after the removal of the process queue", UNIQUE_IDS, ONE_CLOCK),
    premised=False,
    late=True,
)
"""Assumptions of the claims about the longest time for which an unused lock is held."""
