"""The clients of claims about offsets. To add a client, add a line to ``CLIENTS``."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar, NamedTuple

from rebalance_proofs.model.client.node import Node
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong
from rebalance_proofs.model.machine.machine import Turn
from rebalance_proofs.model.machine.values import And, If
from rebalance_proofs.model.offsets import by_loop, concurrently, orderly
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.offsets.code import Member, code
from rebalance_proofs.model.offsets.consumer import OffsetsConsumer
from rebalance_proofs.model.offsets.node_consumer import NodeConsumer
from rebalance_proofs.model.offsets.orderly_consumer import OrderlyConsumer
from rebalance_proofs.model.offsets.state import Choices, Limits, Offsets, Rebalance, Variant, Way
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.transition import generations, java, node
from rebalance_proofs.model.transition.drivers import JavaDriver, NodeDriver
from rebalance_proofs.model.transition.generations import Generation, TakenAsOne
from rebalance_proofs.model.transition.numbers import NO_OFFSET

# Mutants of the offset machines, each with one error.
# The named claims must reject the mutants in ``WRONG``. For those in ``SLIPS``, it is enough that an inductive proof
# fails.

Mistake = Wrong[Offsets, Choices, Limits, Variant]


def _of(*ways: Way) -> Callable[[Variant], bool]:
    return lambda client: client.way in ways


def _fixes_before(s: Offsets, c: Choices, lim: Limits, turn: Turn[Offsets]) -> Turn[Offsets]:
    after = turn.after
    less = {name: getattr(after, name) - 1 for name in ("began", "stands", "next")}
    return replace(turn, after=after.where(And(after.fixed, after.next > 0), **less))


WRONG = (
    Mistake(
        "records-the-pull",
        "When a pull finds no message, its offset is recorded although the process queue has messages.",
        lambda s, c, lim, turn: replace(turn, guard=s.present),
        "empty",
        "not-skipped",
    ),
    Mistake(
        "drops-failures",
        "A message is removed although it was not consumed.",
        lambda s, c, lim, turn: turn.but(cached=False),
        "fails",
        "not-skipped",
    ),
    Mistake(
        "commits-more",
        "The broker stores an offset that is one too large.",
        lambda s, c, lim, turn: turn.but(committed=turn.after.committed + 1),
        "commits",
        "not-skipped",
    ),
    Mistake(
        "remembers-less",
        "A consumer stores the queue's first offset in memory, whatever its start offset is.",
        lambda s, c, lim, turn: turn.but(memory=If(turn.after.memory > 0, 0, turn.after.memory)),
        "adds",
        "back-at-most",
    ),
    Mistake(
        "takes-the-next",
        "A consumer starts one message too late.",
        lambda s, c, lim, turn: turn.but(next=If(turn.after.present, turn.after.next + 1, turn.after.next)),
        "adds",
        "not-skipped",
        of=_of(Way.CONCURRENTLY, Way.BY_LOOP),
    ),
    Mistake(
        "begins-before",
        "The broker answers an offset that is one too small.",
        lambda s, c, lim, turn: turn.but(answer=If(turn.after.answer > 0, turn.after.answer - 1, turn.after.answer)),
        "asks",
        "only-uncommitted",
        of=_of(Way.CONCURRENTLY, Way.BY_LOOP),
    ),
    Mistake(
        "consumes-again",
        "A consumed message stays in its process queue and is consumed again.",
        lambda s, c, lim, turn: turn.but(cached=s.cached),
        "ends",
        "hand-over",
        of=_of(Way.CONCURRENTLY),
    ),
    Mistake(
        "taken-out",
        "A message is removed although its listener's thread was interrupted.",
        lambda s, c, lim, turn: turn.but(cached=False),
        "returns_interrupted",
        "finished.heeded",
        of=_of(Way.CONCURRENTLY),
    ),
    Mistake(
        "fixes-the-next",
        "The first pull starts one message too late.",
        lambda s, c, lim, turn: turn.but(next=If(turn.after.fixed, turn.after.next + 1, turn.after.next)),
        "fixes",
        "not-skipped",
        of=_of(Way.ORDERLY),
    ),
    Mistake(
        "fixes-before",
        "The first pull starts one message before the committed offset.",
        _fixes_before,
        "fixes",
        "only-uncommitted",
        of=_of(Way.ORDERLY),
    ),
    Mistake(
        "forgets-first",
        "The offset of a removed queue is forgotten before it is sent.",
        lambda s, c, lim, turn: turn,
        "revokes",
        "one-batch",
        of=_of(Way.ORDERLY),
        takes_for=lambda s: s.but(memory=NO_OFFSET),
    ),
    Mistake(
        "lets-go",
        "After the listener has returned, no offset is recorded, and the next batch begins.",
        lambda s, c, lim, turn: turn.but(noting=False),
        "ends",
        "one-batch",
        of=_of(Way.ORDERLY),
    ),
)


def careless(fixes: Callable[[Offsets, Choices, Limits], Turn[Offsets]]) -> Mistake:
    """Return a mutant that does not check its first pull's answer.

    ``fixes``: the action of a client without that check.
    """
    return Mistake(
        "careless",
        "If the first pull gets no answer, it pulls from offset -1.",
        lambda s, c, lim, turn: fixes(s, c, lim),
        "fixes",
        "from-an-offset",
    )


SLIPS = (
    Mistake(
        "remembers-more",
        "After any action, the offset in memory is larger.",
        lambda s, c, lim, turn: turn.but(memory=turn.after.memory + 99),
    ),
    Mistake(
        "sends-less",
        "After any action, an offset below the start offset is sent.",
        lambda s, c, lim, turn: turn.but(sending=True, sent=turn.after.origin - 1),
    ),
    Mistake(
        "is-given",
        "After any action, an absent process queue has messages.",
        lambda s, c, lim, turn: turn.but(present=False, cached=True),
    ),
    Mistake(
        "undoes",
        "After any action, no message is consumed.",
        lambda s, c, lim, turn: turn.but(consumed=False, given=False),
    ),
)
"""Mutants where every action also makes one wrong change (see ``proofs.mutation.slips``)."""


MACHINES = {
    Way.CONCURRENTLY: concurrently.CONCURRENTLY,
    Way.ORDERLY: orderly.ORDERLY,
    Way.BY_LOOP: by_loop.BY_LOOP,
}


class Rules(NamedTuple):
    """A client's differences from others (``Variant``) in claims about offsets."""

    way: Way
    step: Rebalance
    heeds: bool


class OffsetsClient(MachineClient, ABC):
    """A client in claims about offsets, with its default offset store."""

    name: str
    """Name used in claim ids: ``java_v5``."""
    rocketmq_name: str
    """Name for people: ``Java 4.9``."""
    way: ClassVar[Way]
    heeds: bool = True
    wrong = WRONG

    @property
    @abstractmethod
    def step(self) -> Rebalance:
        """The client's rebalance of one queue, as an SMT encoding."""

    @abstractmethod
    def consumer(self, broker: Broker, where: ConsumeFromWhere) -> OffsetsConsumer:
        """Return a new consumer that runs the Python code modelled on the client."""

    @cached_property
    def code(self) -> Code[Offsets, Choices, Limits, Member]:
        """How the client's Python code implements the machine (refinement map)."""
        return code(self.consumer, self.machine.actions)


@dataclass(frozen=True)
class JavaClient(OffsetsClient, TakenAsOne):
    """Generations of the Java client whose concurrent consumers behave the same."""

    way = Way.CONCURRENTLY
    machine = MACHINES[way]

    @property
    def step(self) -> Rebalance:
        return java.encoding(self.generations[-1].rules).step

    def encoding_of(self, generation: Generation) -> Any:
        """Return the offset machine of one of the generations, as SMT terms."""
        return self.machine.encoding(Rules(self.way, java.encoding(generation.rules).step, self.heeds))

    def consumer(self, broker: Broker, where: ConsumeFromWhere) -> OffsetsConsumer:
        return OffsetsConsumer(self._driver(where), broker)

    def _driver(self, where: ConsumeFromWhere) -> JavaDriver:
        in_order = self.way is Way.ORDERLY
        settings = Settings(consume_from_where=where, orderly=in_order)
        return JavaDriver(self.made, settings, order=in_order, own_store=False)


@dataclass(frozen=True)
class OrderlyClient(JavaClient):
    """Generations of the Java client whose ordered consumers behave the same."""

    way = Way.ORDERLY
    machine = MACHINES[way]
    heeds: bool = True
    """Whether the client checks that the offset query of its first pull was answered."""

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """The wrong encodings that claims must reject.

        If ``heeds`` holds, one of them omits the check of the first pull's answer.
        """
        fixes = partial(orderly.ORDERLY.turn, "fixes", Rules(self.way, self.step, heeds=False))
        more = (careless(fixes).mutant(self.encoding),) if self.heeds else ()
        return (*super().mutants, *more)

    def consumer(self, broker: Broker, where: ConsumeFromWhere) -> OrderlyConsumer:
        return OrderlyConsumer(self._driver(where), broker)


@dataclass(frozen=True)
class NodeClient(OffsetsClient):
    """The Node client in claims about offsets."""

    name: str
    rocketmq_name: str
    releases: tuple[str, ...]
    made: type[Node] = Node
    """Class with the Python code of the client's rebalance."""
    way = Way.BY_LOOP
    machine = MACHINES[way]

    @property
    def step(self) -> Rebalance:
        return node.ENCODING.step

    def consumer(self, broker: Broker, where: ConsumeFromWhere) -> NodeConsumer:
        settings = Settings(consume_from_where=where)
        return NodeConsumer(NodeDriver(self.made, settings, order=False, own_store=False), broker)


V4_9 = (generations.V4_9_0, generations.V4_9_1, generations.V4_9_5, generations.V4_9_8)
CONCURRENT = (
    JavaClient("java_v4_9", "Java 4.9", V4_9),
    JavaClient("java_v5", java_from("5.0"), (generations.V5_0, *generations.FROM_5_2)),
)
ORDERLY = (
    OrderlyClient("java_v4_9-orderly", "Java 4.9, ordered", V4_9, heeds=False),
    OrderlyClient("java_v5_0-orderly", "Java 5.0 to 5.1.4, ordered", (generations.V5_0,)),
    OrderlyClient("java_v5_2-orderly", f"{java_from('5.2')}, ordered", generations.FROM_5_2),
)
BY_LOOP = (NodeClient("node", "Node (ali-ons)", ("node",)),)
CLIENTS: tuple[OffsetsClient, ...] = (*CONCURRENT, *BY_LOOP, *ORDERLY)
