"""Strategies of RocketMQ's Java client: classes, constructor arguments, calls to compare."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rebalance_proofs.model.allocation.broker_names import ROOM
from rebalance_proofs.model.allocation.machine_room_nearby import MachineRoomResolver
from rebalance_proofs.model.own.call import Call
from rebalance_proofs.model.own.java.construction import NULL, Words, new, queues, rooms, text, texts, with_
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jar.calls import ROOMS, of_kinds, of_nothing, of_rooms, of_two_lists

PACKAGE = "org.apache.rocketmq.client.consumer.rebalance"
SMALL = 16
"""Largest number of consumers and of queues in calls of a slow strategy."""

CLASSES = {
    "AVG": f"{PACKAGE}.AllocateMessageQueueAveragely",
    "AVG_BY_CIRCLE": f"{PACKAGE}.AllocateMessageQueueAveragelyByCircle",
    "CONSISTENT_HASH": f"{PACKAGE}.AllocateMessageQueueConsistentHash",
    "MACHINE_ROOM": f"{PACKAGE}.AllocateMessageQueueByMachineRoom",
    "MACHINE_ROOM_NEARBY": f"{PACKAGE}.AllocateMachineRoomNearby",
    "CONFIG": f"{PACKAGE}.AllocateMessageQueueByConfig",
}
"""RocketMQ's name of a strategy -> its Java class."""


@dataclass(frozen=True)
class Shipped:
    """One strategy of RocketMQ's Java client, with one choice of constructor arguments."""

    strategy: str
    """RocketMQ's name of the allocation strategy, such as ``AVG``."""
    construction: Words
    calls: Callable[[int], tuple[Call, ...]]
    """Function that returns the calls to compare, for a largest number of consumers and queues."""
    made: str = ""
    """The constructor arguments as text, such as ``0 virtual nodes``."""
    arguments: Callable[[Profile], Mapping[str, Any]] = field(default=lambda profile: {})
    """Function that returns the constructor arguments for the model's ``Strategy.configured``."""

    @property
    def name(self) -> str:
        """Strategy and constructor arguments, such as ``CONSISTENT_HASH, 0 virtual nodes``."""
        return f"{self.strategy}, {self.made}" if self.made else self.strategy


def _plain(strategy: str, *values: Words) -> Words:
    return new(CLASSES[strategy], *values)


def _hashing(count: int) -> Shipped:
    return Shipped(
        "CONSISTENT_HASH",
        _plain("CONSISTENT_HASH", text(str(count))),
        lambda bound: of_two_lists(min(bound, SMALL)),
        f"{count} virtual node{'s' * (count != 1)}",
        lambda profile: {"virtual_nodes": count},
    )


def _listed_rooms(*names: str) -> Shipped:
    return Shipped(
        "MACHINE_ROOM",
        with_(_plain("MACHINE_ROOM"), "setConsumeridcs", texts(names)),
        lambda bound: of_kinds(),
        f"consumeridcs {{{', '.join(map(repr, names))}}}",
        lambda profile: {"consumeridcs": frozenset(names)},
    )


RESOLVER = MachineRoomResolver(
    broker_deploy_in=lambda queue: ROOMS.get(queue.broker_name),
    consumer_deploy_in=lambda client_id: ROOMS.get(client_id),
)


def _nearby(inner: str) -> Shipped:
    def arguments(profile: Profile) -> Mapping[str, Any]:
        strategy = profile.strategy(inner)
        return {"inner": strategy and strategy.allocate, "resolver": RESOLVER}

    return Shipped(
        "MACHINE_ROOM_NEARBY",
        _plain("MACHINE_ROOM_NEARBY", _plain(inner), rooms(ROOMS)),
        lambda bound: of_rooms(),
        f"with {inner} inside",
        arguments,
    )


def _configured(made: str, listed: tuple[MessageQueue, ...]) -> Shipped:
    return Shipped(
        "CONFIG",
        with_(_plain("CONFIG"), "setMessageQueueList", queues(listed)),
        lambda bound: of_nothing(),
        made,
        lambda profile: {"queues": list(listed)},
    )


SHIPPED = (
    Shipped("AVG", _plain("AVG"), of_two_lists),
    Shipped("AVG_BY_CIRCLE", _plain("AVG_BY_CIRCLE"), of_two_lists),
    Shipped("CONSISTENT_HASH", _plain("CONSISTENT_HASH"), lambda bound: of_two_lists(min(bound, SMALL))),
    _hashing(1),
    _hashing(0),
    _hashing(-1),
    _listed_rooms(ROOM),
    _listed_rooms(ROOM, ""),
    _listed_rooms(),
    _nearby("AVG"),
    _nearby("AVG_BY_CIRCLE"),
    _nearby("CONSISTENT_HASH"),
    Shipped(
        "MACHINE_ROOM_NEARBY",
        _plain("MACHINE_ROOM_NEARBY", NULL, NULL),
        lambda bound: of_rooms(),
        "with nothing inside",
        lambda profile: {"inner": None, "resolver": None},
    ),
    _configured("two queues", (MessageQueue("T", "broker-a", 1), MessageQueue("other", "broker-z", 7))),
    _configured("an empty list", ()),
    Shipped("CONFIG", _plain("CONFIG"), lambda bound: of_nothing(), "no list"),
)
