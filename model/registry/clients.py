"""Releases of broker and client in claims about the registry.

To add one, add a line to ``CLIENTS``.
"""

from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.machine.client import MachineClient
from rebalance_proofs.model.machine.code import Code
from rebalance_proofs.model.registry.code import code
from rebalance_proofs.model.registry.consumer_group_info import ConsumerGroupInfo
from rebalance_proofs.model.registry.consumer_manager import ConsumerManager
from rebalance_proofs.model.registry.group import Group
from rebalance_proofs.model.registry.ids_change_listener import DefaultConsumerIdsChangeListener
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.machine import REGISTRY
from rebalance_proofs.model.registry.mutants import WRONG
from rebalance_proofs.model.registry.route import Route
from rebalance_proofs.model.registry.state import Member, Said
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.transition.generations import FROM_5_2, GENERATIONS, UP_TO_5_1, Generation, releases_of


@dataclass(frozen=True)
class RegistryClient(MachineClient):
    """Releases of broker and client whose registry behaves the same in all claims."""

    name: str
    """Name used in claim ids: ``java_v4_9_to_v5_3``."""
    rocketmq_name: str
    """Name for people: ``Java 4.9 to 5.1.4``; later releases were not read."""
    greets: bool
    """Whether a client sends a heartbeat as soon as it has connected to a broker.

    Mirror of ``onChannelActive``.
    """
    generations: tuple[Generation, ...]
    """The generations to which the releases belong."""
    stops: bool = False
    """Whether a member whose ``start()`` throws an exception is shut down."""
    shares: bool = True
    """Whether all groups and producers of a heartbeat share one record of its connection at the broker."""
    some: tuple[str, ...] = ()
    """The releases, if they are not all releases of ``generations``."""
    brokers: tuple[str, ...] = ()
    """Releases whose broker was read, but not their client."""
    made: tuple[type, ...] = (ConsumerManager, ConsumerGroupInfo, DefaultConsumerIdsChangeListener, Group, Route)
    """Function that creates the Python objects of the broker's registry, a member and its route."""
    machine, wrong = REGISTRY, WRONG

    @cached_property
    def code(self) -> Code[Member, Said, Limits, Group]:
        """How the Python code implements the registry's machine (refinement map)."""
        return code(self.group)

    def group(self, limits: Limits, *, off: bool = False, later: bool = False) -> Group:
        """Return new Python objects of a member, its broker and the other members.

        ``off``: the broker sends no notifications. ``later``: it collects them.
        """
        return Group(limits, greets=self.greets, stops=self.stops, shares=self.shares, off=off, later=later)

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases, oldest first; the source of each was read."""
        return self.some or releases_of(*self.generations)


ALL = RegistryClient("java_v4_9_to_v5_3", java_from("4.9"), False, GENERATIONS)
"""All releases together, for claims that hold for each of them.

``greets`` is false here: a heartbeat on connect is one of the times at which any heartbeat may come.
"""
SILENT = RegistryClient("java_v4_9_to_v5_1", "Java 4.9 to 5.1.4", False, UP_TO_5_1)
GREETING = RegistryClient("java_v5_2_to_v5_3", java_from("5.2"), True, FROM_5_2)
FIRST_TO_STOP = ALL.releases.index("5.3.2")
GOES_ON = RegistryClient(
    "java_v4_9_to_v5_3_1", "Java 4.9 to 5.3.1", False, GENERATIONS, some=ALL.releases[:FIRST_TO_STOP]
)
STOPS = RegistryClient(
    "java_v5_3_2_to_v5_3_3",
    java_from("5.3.2"),
    False,
    FROM_5_2,
    stops=True,
    some=ALL.releases[FIRST_TO_STOP:],
)
APART = RegistryClient("java_v5_5_1", "broker 5.5.1", False, (), stops=True, shares=False, brokers=("5.5.1",))
"""The broker of 5.5.1: each group and producer has its own record of a connection (rocketmq#10435).

Its members are those of ``STOPS``. Of 5.5.1, the broker was read, but not the client.
"""
APART_V2 = RegistryClient("java_v5_5_1_heartbeat_v2", "broker 5.5.1, heartbeat V2", False, (), stops=True)
"""The broker of 5.5.1 and clients with ``useHeartbeatV2``: all groups of a heartbeat still share one record."""
CLIENTS = (ALL, SILENT, GREETING, GOES_ON, STOPS, APART, APART_V2)
