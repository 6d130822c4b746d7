"""The clients whose offsets are claimed about. To add one: a line in ``CLIENTS``."""

from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.offsets.actions import OffsetsEncoding, encoding
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.offsets.consumer import OffsetsConsumer
from rebalance_proofs.model.offsets.mutants import mutants
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.transition import generations, java
from rebalance_proofs.model.transition.drivers import JavaDriver
from rebalance_proofs.model.transition.generations import TakenAsOne

__all__ = ["CLIENTS", "OffsetsClient"]


@dataclass(frozen=True)
class OffsetsClient(TakenAsOne):
    """Generations of a client that are one as concurrent consumers with the offset store that they ship."""

    @cached_property
    def encoding(self) -> OffsetsEncoding:
        """What it does, as terms."""
        return encoding(java.encoding(self.rebalance).step)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """The same, each wrong in one thing."""
        return tuple(mutants(self.encoding))

    def consumer(self, broker: Broker, where: ConsumeFromWhere) -> OffsetsConsumer:
        """Its code."""
        driver = JavaDriver(self.made, Settings(consume_from_where=where), order=False, own_store=False)
        return OffsetsConsumer(driver, broker)


CLIENTS = (
    OffsetsClient(
        "java_v4_9",
        "Java 4.9",
        (generations.V4_9_0, generations.V4_9_1, generations.V4_9_5, generations.V4_9_8),
    ),
    OffsetsClient("java_v5", "Java 5.0 and later", (generations.V5_0, generations.V5_2)),
)
