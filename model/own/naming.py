"""Names for the ids, brokers and topics of a group. A strategy may read them, so each group is tried with several."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cmp_to_key, partial
from hashlib import sha256
from itertools import chain

from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.orders import by_value, compare_queues, utf16_units
from rebalance_proofs.model.queues import MessageQueue, one_broker

Queues = tuple[MessageQueue, ...]


@dataclass(frozen=True)
class Naming:
    """Names for everything in a group; they sort in the same order as the group's own."""

    name: str
    """The naming's name in commands: ``brokers``."""
    sentence: str
    """A description of the names, for people."""
    consumer_group: str
    client_id: Callable[[int], str] | None
    """The k-th id in every client's order; None leaves ids and queues as the world has them."""
    queues: Callable[[int], Queues]
    """``queues(count)``: so many queues of a topic, as every client sorts them."""
    most: tuple[int, int] | None = None
    """How many (ids, queues) there are names for; None for any number."""

    def named(self, group: Group) -> Group:
        """The same group with these names, and its references likewise."""
        if self.client_id is None:
            return group
        queues = dict(zip(group.queues, self.queues(len(group.queues)), strict=True))
        return _Renaming(self.client_id, queues).of(group)


class _Renaming:
    """Renames groups; equal lists become one object, as they most often were before."""

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
        """The new id for ``c3``, ``c0003``, ``c3-old``, by its number."""
        if client_id not in self._each:
            number, *rest = client_id.removeprefix("c").split("-")
            self._each[client_id] = "-".join([self._client_id(int(number)), *rest])
        return self._each[client_id]


@cache
def _three_brokers(count: int) -> Queues:
    """Queues of three brokers: half of them on the first, half of the rest on the second."""
    first = -(-count // 2)
    second = -(-(count - first) // 2)
    sizes = {"broker-a": first, "broker-b": second, "broker-c": count - first - second}
    return tuple(chain.from_iterable(one_broker(size, "orders", name) for name, size in sizes.items()))


@cache
def _with_gaps(count: int) -> Queues:
    """Queues whose ids on a broker neither begin at 0 nor follow each other."""
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
    "ids c0, c1, ...; one broker, whose queueIds count from 0",
    "group",
    None,
    one_broker,
)
BROKERS = Naming(
    "brokers",
    "ids as Java's client makes them (10.1.100.100@7#...); three brokers with different numbers of queues",
    "GID_orders",
    lambda number: f"10.1.{100 + number // 100}.{100 + number % 100}@7#{3_120_394_857_201 + 977 * number}",
    _three_brokers,
)
ODD = Naming(
    "odd",
    "ids of which each begins with the one before it (x, xx, ...); brokers IDC1@broker-a, ...; queueIds with gaps",
    "",
    lambda number: "x" * (number + 1),
    _with_gaps,
)
SINGLE = Naming(
    "single",
    "ids that end in hexadecimal digits without order; each queue on a broker of its own, with queueId 0, "
    "of the topic %RETRY%GID_orders",
    "GID_orders",
    lambda number: f"{number:03x}{sha256(str(number).encode()).hexdigest()[:29]}",
    _one_each,
)

NAMINGS = (PLAIN, BROKERS, ODD, SINGLE)

YOURS = "yours"


def yours(ids: Sequence[str] = (), queues: Queues = ()) -> Naming:
    """Names of a user's own cluster; where none are given, those of ``BROKERS``.

    Groups with fewer consumers have the first of these ids, as clients sort them; groups with fewer queues have queues
    from everywhere in the list.
    """

    def compare(one: MessageQueue, other: MessageQueue) -> int:
        return compare_queues(one, other, utf16_units, by_value)

    told = " and ".join(part for part in ("client ids" if ids else "", "queues" if queues else "") if part)
    given, known = tuple(sorted(ids, key=utf16_units)), tuple(sorted(queues, key=cmp_to_key(compare)))
    return Naming(
        YOURS,
        f"the {told} of your own",
        BROKERS.consumer_group,
        given.__getitem__ if given else BROKERS.client_id,
        partial(_some, known) if known else _three_brokers,
        (len(given) or OWN, len(known) or OWN),
    )


OWN = 32
"""How many ids, or queues, there are if the user gives none."""


def _some(known: Queues, count: int) -> Queues:
    return tuple(known[place * len(known) // count] for place in range(count))
