"""Strategies of RocketMQ's clients: constructor arguments, calls to compare, and the Java client's classes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, combinations
from typing import Any

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.machine_room import KINDS, ROOM
from rebalance_proofs.model.allocation.machine_room_nearby import MachineRoomResolver
from rebalance_proofs.model.group import Group, client_ids
from rebalance_proofs.model.own.call import Call
from rebalance_proofs.model.own.java.worker import NULL_CONSTRUCTION as NULL
from rebalance_proofs.model.own.java.worker import Words, new, queues, rooms, text, texts, with_
from rebalance_proofs.model.own.names import NAMINGS
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.model.worlds.groups import AGREED, Groups

# Calls of ``allocate`` with which a client's strategies are compared with the model.
# They are sorted: fewest client ids first, then fewest queues. Calls with arguments that clients refuse come last.

GROUP = "GID_conform"
NAMED = 12
"""Largest number of consumers and of queues in calls with several kinds of names.

The kinds are in ``NAMINGS``.
"""
UNAGREED = (3, 4)
"""Largest numbers of consumers and of queues if an assumption (as equal lists) is dropped.

There are many such calls.
"""
FOUR = 4
"""Largest number of client ids in calls with all kinds of broker names."""

ROOMS = {
    "a1": "room1",
    "a2": "room1",
    "b1": "room2",
    "b2": "room2",
    "c1": "room3",
    "": "",
    "x1@room1": "room1",
    "x2@room2": "room2",
    "x3@room1": "room1",
    "x4@room4": "room4",
    "d1": "Ａ",
    "d2": "😀",
}
"""Name of a broker or client id -> its machine room; client ids contain an ``@``.

The two names in ``NOWHERE`` are in no room. Order by UTF-16 units and by bytes
differs for the last two rooms.
"""
RARE = ("d1", "d2")
"""Brokers in rooms with rare names."""
NOWHERE = ("n1", "x5@nowhere")


@cache
def of_two_lists(bound: int) -> tuple[Call, ...]:
    """Return calls for strategies that depend only on mqAll and cidAll.

    They are calls of groups with equal lists of up to ``bound`` consumers and queues, of small groups for which one
    assumption (such as equal lists) is dropped, and refused calls.
    """
    return _smallest_first(chain(_agreed(bound), _named(min(bound, NAMED)), _unagreed(), refused(one_broker(3))))


@cache
def of_kinds() -> tuple[Call, ...]:
    """Return calls with all kinds of broker names, with one or two queues on each broker."""
    found = (
        Call(GROUP, client_id, tuple(MessageQueue("T", name, number) for name in names for number in range(each)), ids)
        for names in _some(sorted(KINDS))
        for each in (1, 2)
        for ids in map(client_ids, range(1, FOUR + 1))
        for client_id in ids
    )
    return _smallest_first(chain(found, refused(one_broker(3, broker_name=KINDS[0]))))


@cache
def of_rooms() -> tuple[Call, ...]:
    """Return calls with every choice of brokers and consumers in machine rooms, or in no room.

    Broker a1 has two queues, the others one. Brokers in rooms with rare names are only together.
    """
    brokers = [name for name in (*ROOMS, *NOWHERE) if "@" not in name and name not in RARE]
    clients = [name for name in (*ROOMS, *NOWHERE) if "@" in name]
    found = (
        Call(GROUP, client_id, queues, ids)
        for names in (*_some(sorted(brokers)), RARE)
        for queues in [tuple(MessageQueue("T", name, one) for name in names for one in range(1 + (name == "a1")))]
        for ids in _some(sorted(clients))
        for client_id in (*ids, "x9@room1")
    )
    return _smallest_first(chain(found, refused(one_broker(3, broker_name="a1"))))


@cache
def of_nothing() -> tuple[Call, ...]:
    """Return calls for a strategy that ignores its arguments."""
    return _smallest_first(refused(one_broker(3)))


def refused(mq_all: tuple[MessageQueue, ...]) -> Iterator[Call]:
    """Yield calls that clients refuse: an empty id or list, or an id that is not in its list."""
    ids = client_ids(2)
    for client_id in ("", "c0", "c5"):
        for some in ((), mq_all):
            for listed in ((), ids, ("", *ids)):
                yield Call(GROUP, client_id, some, listed)


def _agreed(bound: int) -> Iterator[Call]:
    for n in range(1, bound + 1):
        for q in range(1, bound + 1):
            yield from _calls(AGREED.group((AVERAGELY,), n, q, ()))


def _named(bound: int) -> Iterator[Call]:
    for naming in NAMINGS:
        for n in range(1, bound + 1):
            for q in range(1, bound + 1):
                yield from _calls(naming.named(AGREED.group((AVERAGELY,), n, q, ())))


def _unagreed() -> Iterator[Call]:
    for world in PREMISES:
        consumers, queues = UNAGREED
        for n in range(1, consumers + 1):
            for q in range(1, queues + 1):
                yield from chain.from_iterable(map(_calls, _groups(world, n, q)))


def _groups(world: Groups, n: int, q: int) -> Iterator[Group]:
    strategies = (AVERAGELY,) * world.subjects  # which one makes no difference to the lists
    return (world.group(strategies, n, q, values) for values in world.all_values(n, q))


def _calls(group: Group) -> Iterator[Call]:
    for consumer in group.consumers:
        yield Call(GROUP, consumer.client_id, consumer.mq_all, consumer.cid_all)


def _some(names: list[str]) -> Iterator[tuple[str, ...]]:
    """Return every choice of at least one of the names, in order."""
    return chain.from_iterable(combinations(names, count) for count in range(1, len(names) + 1))


def _smallest_first(calls: Iterable[Call]) -> tuple[Call, ...]:
    """Return each call once, the smallest first.

    Equal lists become one object, which is sent to the client only once.
    """
    queues: dict[tuple[MessageQueue, ...], tuple[MessageQueue, ...]] = {}
    ids: dict[tuple[str, ...], tuple[str, ...]] = {}
    found = {
        Call(
            call.consumer_group,
            call.current_cid,
            queues.setdefault(call.mq_all, call.mq_all),
            ids.setdefault(call.cid_all, call.cid_all),
        )
        for call in calls
    }
    return tuple(sorted(found, key=lambda call: (not all(call), len(call.cid_all), len(call.mq_all), call)))


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
