"""The clients of claims about subscriptions. To add a client, add a line to ``CLIENTS``."""

from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.machine.client import MachineClient
from rebalance_proofs.model.machine.code import Code
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.subscriptions.client import MQClientInstance, MQClientInstanceV2
from rebalance_proofs.model.subscriptions.code import code
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.machine import SUBSCRIPTIONS
from rebalance_proofs.model.subscriptions.member import Member
from rebalance_proofs.model.subscriptions.mutants import WRONG
from rebalance_proofs.model.subscriptions.state import Choices, Subscription
from rebalance_proofs.model.transition.generations import GENERATIONS, releases_of


@dataclass(frozen=True)
class SubscriptionsClient(MachineClient):
    """Releases of client and broker whose heartbeats behave the same."""

    name: str
    """Name used in claim ids: ``java``."""
    rocketmq_name: str
    """Name for people: ``Java 4.9 to 5.1.4``; later releases were not read."""
    made: type[MQClientInstance]
    """Class of the client instance, which sends heartbeats."""
    releases: tuple[str, ...]
    """The releases, oldest first; the source of each was read."""
    delays: bool
    """Whether the client delays the first pull of a queue."""
    machine, wrong = SUBSCRIPTIONS, WRONG

    @property
    def fingerprints(self) -> bool:
        """Whether the client uses heartbeat V2."""
        return issubclass(self.made, MQClientInstanceV2)

    @cached_property
    def code(self) -> Code[Subscription, Choices, Limits, Member]:
        """How the Python code of client and broker implements the machine (refinement map)."""
        return code(self.member, fingerprints=self.fingerprints)

    def member(self, limits: Limits) -> Member:
        """Return a new member that runs the client's Python code, started at 0 ms."""
        return Member(self.made, limits, delay=number(limits.delay) if self.delays else None)


RELEASES = releases_of(*GENERATIONS)
FIRST_WITH_V2 = "5.1.3"
"""The first release with heartbeat V2, of clients and of brokers."""

PLAIN = SubscriptionsClient("java_v4_9_to_v5_3", java_from("4.9"), MQClientInstance, RELEASES, delays=False)
"""The client without heartbeat V2.

``delays`` is false, here and with heartbeat V2: a delayed first pull is one of the times at which any first pull may
come.
"""
WITH_V2 = SubscriptionsClient(
    "java_v5_1_3_heartbeat_v2",
    f"{java_from(FIRST_WITH_V2)}, heartbeat V2",
    MQClientInstanceV2,
    RELEASES[RELEASES.index(FIRST_WITH_V2) :],
    delays=False,
)
PULLS_AT_ONCE = SubscriptionsClient(
    "java_v4_9",
    "Java 4.9",
    MQClientInstance,
    releases_of(*(one for one in GENERATIONS if not one.rules.pull_delay)),
    delays=False,
)
PULLS_LATER = SubscriptionsClient(
    "java_v5_0_to_v5_3",
    java_from("5.0"),
    MQClientInstance,
    releases_of(*(one for one in GENERATIONS if one.rules.pull_delay)),
    delays=True,
)
CLIENTS = (PLAIN, WITH_V2, PULLS_AT_ONCE, PULLS_LATER)
