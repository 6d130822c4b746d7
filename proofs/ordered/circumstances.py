"""The world of ordered consumption: what may go wrong around one queue, and what may not."""

from dataclasses import dataclass, replace
from typing import ClassVar

import z3

from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import State
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.model.transition.client import ORDERLY, Mode
from rebalance_proofs.proofs.ordered.variables import ME, OTHER
from rebalance_proofs.proofs.world import Premised

__all__ = [
    "ALWAYS",
    "ANYHOW",
    "IN_TIME",
    "NOT_LATER",
    "ONE_GROUP",
    "PREMISES",
    "RENEWED",
    "RENEWED_AS_SHIPPED",
    "Circumstances",
    "needed",
]


@dataclass(frozen=True)
class Circumstances(Premised):
    """All premises hold, or all but one; or all, and one more; or none is asked for."""

    renewed: bool = False
    """Renewals are in time (``Limits.renewal``)."""
    premised: bool = True
    """The premises of ``PREMISES`` hold, but for the one that is dropped."""
    late: bool = False
    """Requests for the lock of a queue without an entry are no later than ``Limits.late``."""
    kind: ClassVar[str] = "ordered"
    modes: ClassVar[tuple[Mode, ...]] = (ORDERLY,)
    """The ways to use a client that it is a world of."""

    def keeps(self, name: str) -> bool:
        """A premise of that name holds."""
        return self.premised and self.name != name

    @property
    def client_ids(self) -> tuple[int, int]:
        """Of two consumers."""
        return (ME, ME) if self.name == TWIN else (ME, OTHER)

    def touches(self, action: str) -> bool:
        """Its dropped premise is about that action."""
        return self.renewed or action in TOUCHED.get(self.name, ())

    def trusted(self, limits: Limits) -> Limits:
        """The limits, where ``client`` is the longest time for which a listener can begin after the lock's stamp."""
        if not self.renewed:
            return limits
        return replace(limits, client=z3.If(limits.renewal < limits.client, limits.renewal, limits.client))

    def waits(self, listed: z3.BoolRef, state: State, until: z3.ArithRef, limits: Limits) -> z3.BoolRef:
        """What the premises say of time that passes; ``listed``: the queue's lock is one that is renewed."""
        return z3.Implies(listed, until <= state.me.stamp + limits.renewal) if self.renewed else YES

    def allows(self, action: str, state: State, limits: Limits) -> z3.BoolRef:
        """What the premises say of a consumer's action, one that the client itself could do."""
        me = state.me
        if action == "locks":
            not_overtaken = z3.Not(me.unlocking) if self.keeps(OVERTAKEN) else YES
            not_back = z3.Not(me.later) if self.keeps(RETURN) else YES
            return z3.And(not_overtaken, not_back)
        if action == "renews" and self.late:
            return z3.Or(me.present, me.adding, state.now <= me.left + limits.late)
        waits = {"shuts": SHUTDOWN, "unsubscribes": UNSUBSCRIBED}
        return z3.Not(me.runs) if action in waits and self.keeps(waits[action]) else YES


OVERTAKEN, RETURN, SHUTDOWN, UNSUBSCRIBED = "overtaken", "return", "shutdown", "unsubscribed"
RESTART, TWIN, TIME = "restart", "twin", "time"

TOUCHED = {OVERTAKEN: ("locks",), RETURN: ("locks",), SHUTDOWN: ("shuts",), UNSUBSCRIBED: ("unsubscribes",)}
"""By premise, the actions that it restricts; the others are about limits, messages and ids."""

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
    "A consumer that is shut down waits for its listener (in Java `awaitTerminationMillisWhenShutdown`).",
    "a consumer is shut down without waiting for its listener, as is the default",
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
"""Each drops one."""

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
"""Premises that are in every world: what the model does not have."""
IN_TIME = Circumstances("in-time", " ".join((*(world.sentence for world in PREMISES), *ALWAYS)), dropped=False)
"""All of them hold."""
RENEWALS = (
    "Every renewal of a lock is in time: while a queue is in its table (from Java 5.0 on: and is not marked), a "
    "consumer notes one within the limit for renewals."
)
RENEWED = Circumstances("renewed", f"{RENEWALS} {IN_TIME.sentence}", dropped=False, renewed=True)
"""So they do, and one more, which nothing promises."""
RENEWED_AS_SHIPPED = Circumstances(
    "renewed-as-shipped",
    " ".join((RENEWALS, *(world.sentence for world in PREMISES if world is not TOO_LONG), *ALWAYS)),
    dropped=False,
    renewed=True,
)
"""The settings as shipped may not meet the client's condition, although renewals are in time."""
ANYHOW = Circumstances("anyhow", ALWAYS[2], dropped=False, premised=False)
"""Nothing is asked for."""
ONE_GROUP = Circumstances(
    "one-group",
    f"{TWINS.sentence} {ALWAYS[0]} {ALWAYS[1]}",
    dropped=False,
    premised=False,
)
"""Consumers of whatever clients in one group."""
NOT_LATER = Circumstances(
    "not-later",
    "No request for the lock of a queue arrives later than the limit for that after its entry has left. "
    f"{TWINS.sentence} {ALWAYS[0]}",
    dropped=False,
    premised=False,
    late=True,
)
"""The answer to how long the lock is kept for nobody's use."""
