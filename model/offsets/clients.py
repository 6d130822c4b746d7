"""The clients whose offsets are claimed about. To add one: a line in ``CLIENTS``."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from rebalance_proofs.model.client.node import Node
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.offsets import by_loop, concurrently, orderly
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.offsets.consumer import OffsetsConsumer
from rebalance_proofs.model.offsets.encoding import ByLoop, Java, OffsetsEncoding, Orderly
from rebalance_proofs.model.offsets.mutants import mutants, mutants_in_order, mutants_of_a_loop
from rebalance_proofs.model.offsets.node_consumer import NodeConsumer
from rebalance_proofs.model.offsets.orderly_consumer import OrderlyConsumer
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.transition import generations, java, node
from rebalance_proofs.model.transition.drivers import JavaDriver, NodeDriver
from rebalance_proofs.model.transition.generations import Generation, TakenAsOne

__all__ = [
    "BY_LOOP",
    "CLIENTS",
    "CONCURRENT",
    "ORDERLY",
    "JavaClient",
    "NodeClient",
    "OffsetsClient",
    "OrderlyClient",
]


class OffsetsClient(Hashable, Protocol):
    """A client whose offsets are claimed about, with the offset store that it ships."""

    @property
    def name(self) -> str:
        """``java_v5``, used in claim ids."""

    @property
    def rocketmq_name(self) -> str:
        """For people: ``Java 5.0 and later``."""

    @property
    def way(self) -> Way:
        """How its consumers go through the messages of a queue."""

    @property
    def encoding(self) -> OffsetsEncoding:
        """What it does, as terms."""

    @property
    def mutants(self) -> tuple[Mutant, ...]:
        """The same, each wrong in one thing."""

    def consumer(self, broker: Broker, where: ConsumeFromWhere) -> OffsetsConsumer:
        """Its code."""


@dataclass(frozen=True)
class JavaClient(TakenAsOne):
    """Generations of the Java client that are one as concurrent consumers."""

    way = Way.CONCURRENTLY

    def encoding_of(self, generation: Generation) -> Java:
        """What one of them does, as terms."""
        return concurrently.encoding(java.encoding(generation.rules).step)

    @cached_property
    def encoding(self) -> Java:
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
        in_order = self.way is Way.ORDERLY
        settings = Settings(consume_from_where=where, orderly=in_order)
        return JavaDriver(self.made, settings, order=in_order, own_store=False)


@dataclass(frozen=True)
class OrderlyClient(JavaClient):
    """Generations that are one as ordered consumers."""

    way = Way.ORDERLY

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


@dataclass(frozen=True)
class NodeClient:
    """The Node client."""

    name: str
    rocketmq_name: str
    releases: tuple[str, ...]
    made: type[Node] = Node
    """The code of its rebalance."""
    way = Way.BY_LOOP

    @cached_property
    def encoding(self) -> ByLoop:
        """What it does, as terms."""
        return by_loop.encoding(node.ENCODING.step)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """The same, each wrong in one thing."""
        return tuple(mutants_of_a_loop(self.encoding))

    def consumer(self, broker: Broker, where: ConsumeFromWhere) -> NodeConsumer:
        """Its code."""
        settings = Settings(consume_from_where=where)
        return NodeConsumer(NodeDriver(self.made, settings, order=False, own_store=False), broker)


V4_9 = (generations.V4_9_0, generations.V4_9_1, generations.V4_9_5, generations.V4_9_8)
CONCURRENT = (
    JavaClient("java_v4_9", "Java 4.9", V4_9),
    JavaClient("java_v5", "Java 5.0 and later", (generations.V5_0, generations.V5_2)),
)
ORDERLY = (
    OrderlyClient("java_v4_9-orderly", "Java 4.9, ordered", V4_9, heeds=False),
    OrderlyClient("java_v5_0-orderly", "Java 5.0 to 5.1.4, ordered", (generations.V5_0,)),
    OrderlyClient("java_v5_2-orderly", "Java 5.2 and later, ordered", (generations.V5_2,)),
)
BY_LOOP = (NodeClient("node", "Node (ali-ons)", ("node",)),)
CLIENTS: tuple[OffsetsClient, ...] = (*CONCURRENT, *BY_LOOP, *ORDERLY)
