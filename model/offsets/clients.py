"""The clients whose offsets are claimed about. To add one: a line in ``CLIENTS``."""

from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.offsets import concurrently, orderly
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.offsets.consumer import OffsetsConsumer
from rebalance_proofs.model.offsets.encoding import OffsetsEncoding, Orderly
from rebalance_proofs.model.offsets.mutants import mutants, mutants_in_order
from rebalance_proofs.model.offsets.orderly_consumer import OrderlyConsumer
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.transition import generations, java
from rebalance_proofs.model.transition.drivers import JavaDriver
from rebalance_proofs.model.transition.generations import Generation, TakenAsOne

__all__ = ["CLIENTS", "CONCURRENT", "ORDERLY", "V5_0_ORDERLY", "OffsetsClient", "OrderlyClient"]


@dataclass(frozen=True)
class OffsetsClient(TakenAsOne):
    """Generations of a client that are one as concurrent consumers with the offset store that they ship."""

    orderly = False

    def encoding_of(self, generation: Generation) -> OffsetsEncoding:
        """What one of them does, as terms."""
        return concurrently.encoding(java.encoding(generation.rules).step)

    @cached_property
    def encoding(self) -> OffsetsEncoding:
        """What it does, as terms."""
        return self.encoding_of(self.generations[-1])

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """The same, each wrong in one thing."""
        return tuple(mutants(self.encoding))

    def consumer(self, broker: Broker, where: ConsumeFromWhere) -> OffsetsConsumer:
        """Its code."""
        return OffsetsConsumer(self._driver(where), broker)

    def _driver(self, where: ConsumeFromWhere) -> JavaDriver:
        settings = Settings(consume_from_where=where, orderly=self.orderly)
        return JavaDriver(self.made, settings, order=self.orderly, own_store=False)


@dataclass(frozen=True)
class OrderlyClient(OffsetsClient):
    """Generations that are one as ordered consumers."""

    orderly = True

    heeds: bool = True
    """Its first pull looks at whether there is an answer to where to begin."""

    @cached_property
    def encoding(self) -> Orderly:
        return self.encoding_of(self.generations[-1])

    def encoding_of(self, generation: Generation, heeds: bool | None = None) -> Orderly:
        step = java.encoding(generation.rules).step
        return orderly.encoding(step, heeds=self.heeds if heeds is None else heeds)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        careless = self.encoding_of(self.generations[-1], heeds=False) if self.heeds else None
        return tuple(mutants_in_order(self.encoding, careless))

    def consumer(self, broker: Broker, where: ConsumeFromWhere) -> OrderlyConsumer:
        return OrderlyConsumer(self._driver(where), broker)


V4_9 = (generations.V4_9_0, generations.V4_9_1, generations.V4_9_5, generations.V4_9_8)
CONCURRENT = (
    OffsetsClient("java_v4_9", "Java 4.9", V4_9),
    OffsetsClient("java_v5", "Java 5.0 and later", (generations.V5_0, generations.V5_2)),
)
V5_0_ORDERLY = OrderlyClient("java_v5_0-orderly", "Java 5.0 to 5.1.4, ordered", (generations.V5_0,))
"""Another removal than in 5.2: the offset is forgotten under a running listener."""
ORDERLY = (
    OrderlyClient("java_v4_9-orderly", "Java 4.9, ordered", V4_9, heeds=False),
    V5_0_ORDERLY,
    OrderlyClient("java_v5_2-orderly", "Java 5.2 and later, ordered", (generations.V5_2,)),
)
CLIENTS: tuple[OffsetsClient, ...] = (*CONCURRENT, *ORDERLY)
