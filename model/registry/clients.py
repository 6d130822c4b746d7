"""The releases, broker and client, whose registry is claimed about. To add one: a line in ``CLIENTS``."""

from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.registry.actions import RegistryEncoding, encoding
from rebalance_proofs.model.registry.consumer_group_info import ConsumerGroupInfo
from rebalance_proofs.model.registry.consumer_manager import ConsumerManager
from rebalance_proofs.model.registry.group import Group
from rebalance_proofs.model.registry.ids_change_listener import DefaultConsumerIdsChangeListener
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.mutants import mutants
from rebalance_proofs.model.registry.route import Route
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.transition.generations import GENERATIONS, Generation

__all__ = ["ALL", "CLIENTS", "GREETING", "SILENT", "RegistryClient"]


@dataclass(frozen=True)
class RegistryClient:
    """Releases that do the same in what is claimed of them."""

    name: str
    """``java_v4_9_to_v5_3``, used in claim ids."""
    rocketmq_name: str
    """For people: ``Java 4.9 to 5.3.3``; what comes later was not read."""
    greets: bool
    """A client sends a heartbeat to a broker as soon as it has connected to it (``onChannelActive``)."""
    generations: tuple[Generation, ...]
    """Of which releases it is."""
    made: tuple[type, ...] = (ConsumerManager, ConsumerGroupInfo, DefaultConsumerIdsChangeListener, Group, Route)
    """The code of the broker's registry, of a member, and of its route."""

    @cached_property
    def encoding(self) -> RegistryEncoding:
        """What it does, as terms."""
        return encoding(greets=self.greets)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """The same, each wrong in one thing."""
        return tuple(mutants(self.encoding, greets=self.greets))

    def group(self, limits: Limits, *, off: bool = False, later: bool = False) -> Group:
        """Its code; ``off``: the broker notifies nobody; ``later``: it collects notifications."""
        return Group(limits, greets=self.greets, off=off, later=later)


ALL = RegistryClient("java_v4_9_to_v5_3", "Java 4.9 to 5.3.3", False, GENERATIONS)
"""That a heartbeat is sent at once is one of the times at which one may come, here."""
SILENT = RegistryClient("java_v4_9_to_v5_1", "Java 4.9 to 5.1.4", False, GENERATIONS[:-1])
GREETING = RegistryClient("java_v5_2_to_v5_3", "Java 5.2 to 5.3.3", True, GENERATIONS[-1:])
CLIENTS = (ALL, SILENT, GREETING)
