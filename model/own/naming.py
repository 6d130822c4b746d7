"""Sets of names for the client ids, brokers and topics of a group.

A strategy may depend on names, so each group is tried with several sets.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import chain

from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.queues import MessageQueue, one_broker

Queues = tuple[MessageQueue, ...]


@dataclass(frozen=True)
class Naming:
    """A set of names for a group, in the same sort order as the group's own names."""

    name: str
    """Short name of the set, for commands: ``brokers``."""
    sentence: str
    """A description of the names for readers."""
    consumer_group: str
    client_id: Callable[[int], str] | None
    """Function that returns the id of the k-th consumer in every client's order.

    None keeps the group's own ids and queues.
    """
    queues: Callable[[int], Queues]
    """``queues(count)`` returns ``count`` queues of a topic, in every client's order."""

    def named(self, group: Group) -> Group:
        """Return the same group, and its references, with these names."""
        if self.client_id is None:
            return group
        queues = dict(zip(group.queues, self.queues(len(group.queues)), strict=True))
        return _Renaming(self.client_id, queues).of(group)


class _Renaming:
    """Renames groups. Lists that become equal are one object, as they usually were before."""

    def __init__(self, client_id: Callable[[int], str], queues: dict[MessageQueue, MessageQueue]) -> None:
        self._client_id, self._queues = client_id, queues
        self._lists: dict[int, Queues] = {}
        self._ids: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._each: dict[str, str] = {}

    def of(self, group: Group) -> Group:
        return replace(
            group,
            queues=tuple(map(self._queues.__getitem__, group.queues)),
            consumers=tuple(map(self._consumer, group.consumers)),
            reference=group.reference and self.of(group.reference),
        )

    def _consumer(self, consumer: Consumer) -> Consumer:
        mq_all, cid_all = consumer.mq_all, consumer.cid_all
        if id(mq_all) not in self._lists:
            self._lists[id(mq_all)] = tuple(map(self._queues.__getitem__, mq_all))
        if cid_all not in self._ids:
            self._ids[cid_all] = tuple(map(self._id, cid_all))
        return Consumer(
            self._id(consumer.client_id),
            self._lists[id(mq_all)],
            self._ids[cid_all],
            consumer.strategy,
            consumer.subscribes,
        )

    def _id(self, client_id: str) -> str:
        """Return the new id for an old one such as ``c3``, ``c0003`` or ``c3-old``, by its number."""
        if client_id not in self._each:
            number, *rest = client_id.removeprefix("c").split("-")
            self._each[client_id] = "-".join([self._client_id(int(number)), *rest])
        return self._each[client_id]


@cache
def _three_brokers(count: int) -> Queues:
    """Return queues of three brokers: half on the first, half of the rest on the second."""
    first = -(-count // 2)
    second = -(-(count - first) // 2)
    sizes = {"broker-a": first, "broker-b": second, "broker-c": count - first - second}
    return tuple(chain.from_iterable(one_broker(size, "orders", name) for name, size in sizes.items()))


@cache
def _with_gaps(count: int) -> Queues:
    """Return queues whose ids on a broker neither start at 0 nor are consecutive."""
    half = count // 2
    return tuple(
        MessageQueue("T_odd", "IDC1@broker-a" if place < half else "IDC2@broker-b", 5 + 7 * (place % max(half, 1)))
        for place in range(half * 2)
    ) + tuple(MessageQueue("T_odd", "IDC3@broker-c", 1_000_003) for _ in range(count - half * 2))


@cache
def _one_each(count: int) -> Queues:
    return tuple(MessageQueue("%RETRY%GID_orders", f"broker-{place:03}", 0) for place in range(count))


PLAIN = Naming(
    "plain",
    "ids c0, c1, ...; one broker with queueIds from 0 on",
    "group",
    None,
    one_broker,
)
BROKERS = Naming(
    "brokers",
    "ids in the Java client's format (10.1.100.100@7#...); three brokers with different numbers of queues",
    "GID_orders",
    lambda number: f"10.1.{100 + number // 100}.{100 + number % 100}@7#{3_120_394_857_201 + 977 * number}",
    _three_brokers,
)
ODD = Naming(
    "odd",
    "ids that are prefixes of each other (x, xx, ...); brokers IDC1@broker-a, ...; queueIds with gaps",
    "",
    lambda number: "x" * (number + 1),
    _with_gaps,
)
SINGLE = Naming(
    "single",
    "ids that end in unsorted hexadecimal digits; one broker per queue, with queueId 0, topic %RETRY%GID_orders",
    "GID_orders",
    lambda number: f"{number:03x}{sha256(str(number).encode()).hexdigest()[:29]}",
    _one_each,
)

NAMINGS = (PLAIN, BROKERS, ODD, SINGLE)

YOURS = "yours"
