"""Compute the shares of a group: run the strategy for each member and topic."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.machine_room_nearby import MachineRoomResolver
from rebalance_proofs.model.allocation.strategy import AllocationError, Strategy
from rebalance_proofs.model.assignment import STRATEGIES as BY_THE_BROKER
from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.own.asked import Asked as Calls
from rebalance_proofs.model.own.call import Refused
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.topics import kafka_range, kafka_round_robin
from rebalance_proofs.report.claims.mark import Mark
from rebalance_proofs.report.index.entries import mark_of_strategy
from rebalance_proofs.report.names import short_label
from rebalance_proofs.report.shares.described import Asked, Topic

KAFKA = {
    kafka_range.KAFKA_RANGE.name: (kafka_range.KAFKA_RANGE, kafka_range.assign),
    kafka_round_robin.KAFKA_ROUND_ROBIN.name: (kafka_round_robin.KAFKA_ROUND_ROBIN, kafka_round_robin.assign),
}
"""Kafka's assignors by their short names, each with the function of the group's leader."""
Shares = Mapping[tuple[str, str], tuple[MessageQueue, ...]]


@dataclass(frozen=True)
class Divided:
    """The shares of all members under one strategy."""

    asked: Asked
    name: str
    """Short name of the strategy, or the text that names a user-defined one."""
    label: str
    """Name for readers: ``AVG``, ``Kafka RangeAssignor``, ``mine.py:allocate``."""
    source: str
    """``rocketmq``, ``kafka`` or ``own``."""
    shares: Shares
    """(client id, topic) -> the queues that the member takes, in the order of the strategy's result."""
    refused: Mapping[tuple[str, str], str]
    """(client id, topic) -> what the strategy did instead of returning queues, a verb phrase."""

    @property
    def pops(self) -> bool:
        """True if members pop, so that several read one queue on purpose."""
        return self.kind in (one.name for one in BY_THE_BROKER)

    @property
    def kind(self) -> str:
        """Return the strategy's short name without a popShareQueueNum: ``pop-avg`` for ``pop-avg=2``."""
        return self.name.partition("=")[0]

    @property
    def mark(self) -> Mark:
        """Return the conformance mark of the strategy's code."""
        return mark_of_strategy(self.kind) if self.source == "rocketmq" else Mark.MODEL

    def count(self, client_id: str) -> int:
        """Return the number of queues of all topics that the member takes."""
        return sum(len(self.shares.get((client_id, topic.name), ())) for topic in self.asked.topics)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Return the number of queues of each member, in the order of the ids."""
        return tuple(map(self.count, self.asked.ids))

    @property
    def level(self) -> bool:
        """True if no member takes two queues more than another member."""
        return max(self.counts) - min(self.counts) <= 1

    def readers(self, topic: Topic) -> list[list[int]]:
        """Return the members that take each queue of the topic, by their indexes in the ids."""
        found: list[list[int]] = [[] for _ in topic.queues]
        for member, client_id in enumerate(self.asked.ids):
            for queue in dict.fromkeys(self.shares.get((client_id, topic.name), ())):
                if queue in topic.places:
                    found[topic.places[queue]].append(member)
        return found

    @cached_property
    def unread(self) -> tuple[tuple[Topic, tuple[int, ...]], ...]:
        """Return the positions of queues that no member takes, for topics that have any."""
        return tuple(self._with(lambda readers: not readers))

    @cached_property
    def doubled(self) -> tuple[tuple[Topic, tuple[int, ...]], ...]:
        """Return the positions of queues that several members take, as ``unread`` does."""
        return tuple(self._with(lambda readers: len(readers) > 1))

    @cached_property
    def foreign(self) -> tuple[tuple[str, MessageQueue], ...]:
        """Return the queues that a member takes although its topic does not have them."""
        return tuple(
            (client_id, queue)
            for topic in self.asked.topics
            for client_id in self.asked.ids
            for queue in self.shares.get((client_id, topic.name), ())
            if queue not in topic.places
        )

    @property
    def sound(self) -> bool:
        """True if each queue has exactly one consumer, and no call failed."""
        return not (self.unread or self.doubled or self.foreign or self.refused)

    def _with(self, wanted: Callable[[list[int]], bool]) -> Iterator[tuple[Topic, tuple[int, ...]]]:
        for topic in self.asked.topics:
            places = tuple(place for place, readers in enumerate(self.readers(topic)) if wanted(readers))
            if places:
                yield topic, places


def divided(strategy: Strategy, asked: Asked, config: Mapping[str, Sequence[MessageQueue]] | None = None) -> Divided:
    """Return the shares under a strategy of RocketMQ.

    ``config``: client id -> its configured queues, for CONFIG.
    """
    shares, refused = {}, {}
    for client_id in asked.ids:
        mine = _configured(strategy, asked, client_id, config or {})
        for topic in asked.topics:
            try:
                shares[client_id, topic.name] = tuple(_consumer(asked, topic, client_id, mine).allocate())
            except AllocationError as error:
                refused[client_id, topic.name] = error.instead
    return Divided(asked, strategy.name, short_label(strategy), "rocketmq", shares, refused)


def kafka(name: str, asked: Asked) -> Divided:
    """Return the shares under a Kafka assignor.

    The group's leader computes them, so members' views do not matter.
    """
    strategy, assign = KAFKA[name]
    every = [queue for topic in asked.topics for queue in topic.queues]
    found = assign(every, asked.ids, asked.subscribes or None)
    shares = {
        (client_id, topic.name): tuple(queue for queue in found[client_id] if queue.topic == topic.name)
        for topic in asked.topics
        for client_id in asked.ids
    }
    return Divided(asked, name, strategy.rocketmq_name, "kafka", shares, {})


@dataclass(frozen=True)
class Own:
    """A user-defined strategy, and the process that calls it."""

    text: str
    calls: Calls


def own(one: Own, asked: Asked, consumer_group: str = "group") -> Divided:
    """Return the shares under a user-defined strategy."""
    groups = [
        Group(topic.queues, tuple(_consumer(asked, topic, client_id, one.calls.strategy) for client_id in asked.ids))
        for topic in asked.topics
    ]
    one.calls.ask(groups, consumer_group)
    members = {
        (consumer.client_id, topic.name): consumer
        for topic, group in zip(asked.topics, groups, strict=True)
        for consumer in group.consumers
    }
    shares, refused = {}, {}
    for key, consumer in members.items():
        outcome = one.calls.outcome(consumer)
        if isinstance(outcome, Refused) and consumer.subscribes:
            refused[key] = outcome.what
        else:
            shares[key] = tuple(consumer.allocate())
    return Divided(asked, one.text, one.text, "own", shares, refused)


def _consumer(asked: Asked, topic: Topic, client_id: str, strategy: Strategy) -> Consumer:
    queues, ids = topic.queues, asked.ids
    if client_id in asked.knows:
        queues = queues[: asked.knows[client_id]]
    return Consumer(client_id, queues, asked.sees.get(client_id, ids), strategy, asked.reads(client_id, topic))


def _configured(
    strategy: Strategy, asked: Asked, client_id: str, config: Mapping[str, Sequence[MessageQueue]]
) -> Strategy:
    if strategy is CONFIG:
        return strategy.configured(queues=config[client_id]) if client_id in config else strategy
    if strategy.rocketmq_name == "MACHINE_ROOM":
        return strategy.configured(consumeridcs=_rooms(asked))
    if strategy.rocketmq_name == "MACHINE_ROOM_NEARBY" and asked.rooms:
        resolver = MachineRoomResolver(
            broker_deploy_in=lambda queue: _room(queue.broker_name, asked.rooms),
            consumer_deploy_in=lambda one: _room(one, asked.rooms),
        )
        return strategy.configured(inner=AVERAGELY.allocate, resolver=resolver)
    return strategy


def roomed(asked: Asked) -> bool:
    """Return whether some broker's name has a machine room: ``room1@broker-a``."""
    return any("@" in queue.broker_name for topic in asked.topics for queue in topic.queues)


def _rooms(asked: Asked) -> tuple[str, ...]:
    """Return the rooms for MACHINE_ROOM: those of the user, or else all that brokers are in."""
    names = (queue.broker_name for topic in asked.topics for queue in topic.queues)
    return asked.rooms or tuple(dict.fromkeys(name.partition("@")[0] for name in names if "@" in name))


def _room(name: str, rooms: Sequence[str]) -> str | None:
    """Return the longest room that the name begins with; None if there is none."""
    return max((room for room in rooms if name.startswith(room)), key=len, default=None)
