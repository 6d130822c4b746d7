"""Strategies of RocketMQ's clients: constructor arguments, calls to compare, and the Java client's classes."""

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
    """One strategy of a RocketMQ client, with one choice of constructor arguments."""

    strategy: str
    """RocketMQ's name of the allocation strategy, such as ``AVG``."""
    calls: Callable[[int], tuple[Call, ...]]
    """Function that returns the calls to compare, for a largest number of consumers and queues."""
    made: str = ""
    """The constructor arguments as text, such as ``0 virtual nodes``."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """The constructor arguments as JSON values, by name: ``{"virtual_nodes": 0}``.

    The names are ``virtual_nodes``, ``consumeridcs``, ``inner`` (a strategy), ``rooms`` (name -> room) and ``queues``.
    """
    arguments: Callable[[Profile], Mapping[str, Any]] = field(default=lambda profile: {})
    """Function that returns the constructor arguments for the model's ``Strategy.configured``."""

    @property
    def name(self) -> str:
        """Strategy and constructor arguments, such as ``CONSISTENT_HASH, 0 virtual nodes``."""
        return f"{self.strategy}, {self.made}" if self.made else self.strategy

    @property
    def construction(self) -> Words:
        """The words that construct the strategy in Java."""
        given = self.given
        match self.strategy:
            case "CONSISTENT_HASH" if given:
                return _plain("CONSISTENT_HASH", text(str(given["virtual_nodes"])))
            case "MACHINE_ROOM":
                return with_(_plain("MACHINE_ROOM"), "setConsumeridcs", texts(given["consumeridcs"]))
            case "MACHINE_ROOM_NEARBY":
                inner, named = given["inner"], given["rooms"]
                return _plain("MACHINE_ROOM_NEARBY", _plain(inner) if inner else NULL, rooms(named) if named else NULL)
            case "CONFIG" if given:
                listed = [MessageQueue(*queue) for queue in given["queues"]]
                return with_(_plain("CONFIG"), "setMessageQueueList", queues(listed))
        return _plain(self.strategy)


def _plain(strategy: str, *values: Words) -> Words:
    return new(CLASSES[strategy], *values)


def _hashing(count: int) -> Shipped:
    return Shipped(
        "CONSISTENT_HASH",
        lambda bound: of_two_lists(min(bound, SMALL)),
        f"{count} virtual node{'s' * (count != 1)}",
        {"virtual_nodes": count},
        lambda profile: {"virtual_nodes": count},
    )


def listed_rooms(*names: str) -> Shipped:
    """Return MACHINE_ROOM with these names in consumeridcs, which is a list in Go and a set in other clients."""
    return Shipped(
        "MACHINE_ROOM",
        lambda bound: of_kinds(),
        f"consumeridcs {{{', '.join(map(repr, names))}}}",
        {"consumeridcs": names},
        lambda profile: {"consumeridcs": names},
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
        lambda bound: of_rooms(),
        f"with {inner} inside",
        {"inner": inner, "rooms": ROOMS},
        arguments,
    )


def _configured(made: str, listed: tuple[MessageQueue, ...]) -> Shipped:
    return Shipped(
        "CONFIG",
        lambda bound: of_nothing(),
        made,
        {"queues": listed},
        lambda profile: {"queues": list(listed)},
    )


SHIPPED = (
    Shipped("AVG", of_two_lists),
    Shipped("AVG_BY_CIRCLE", of_two_lists),
    Shipped("CONSISTENT_HASH", lambda bound: of_two_lists(min(bound, SMALL))),
    _hashing(1),
    _hashing(0),
    _hashing(-1),
    listed_rooms(ROOM),
    listed_rooms(ROOM, ""),
    listed_rooms(),
    _nearby("AVG"),
    _nearby("AVG_BY_CIRCLE"),
    _nearby("CONSISTENT_HASH"),
    Shipped(
        "MACHINE_ROOM_NEARBY",
        lambda bound: of_rooms(),
        "with nothing inside",
        {"inner": None, "rooms": None},
        lambda profile: {"inner": None, "resolver": None},
    ),
    _configured("two queues", (MessageQueue("T", "broker-a", 1), MessageQueue("other", "broker-z", 7))),
    _configured("an empty list", ()),
    Shipped("CONFIG", lambda bound: of_nothing(), "no list"),
)
