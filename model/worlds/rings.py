"""CONSISTENT_HASH with any hash function.

The world contains every order of virtual nodes and queues around the ring. Such a world is made from a world over plain
lists. Its digits determine which consumer sees which ids and queues. The digits of a weak order determine how the hash
values of all virtual nodes and queues compare, including collisions. Nothing else about a hash function matters.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, reduce
from itertools import combinations
from typing import TypedDict, Unpack

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH_GO, VIRTUAL_NODES, md5_hash
from rebalance_proofs.model.allocation.ring import Node, RingEncoding
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.queues import one_broker, to_string
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import YES
from rebalance_proofs.model.worlds import two_rings
from rebalance_proofs.model.worlds.groups import Groups, Member, SymbolicGroup, Values, in_range
from rebalance_proofs.model.worlds.settings import Owned, SettingFamily, Settled, alone, sized_member

# The world of CONSISTENT_HASH with the client's MD5 hash: each queue's owner as a number.
# The ids and queues are those of the enumerated groups.


@cache
def preferences(n: int, place: int) -> tuple[int, ...]:
    """Return the n consumers in the order in which a search on the ring meets them.

    The search starts at the hash of the queue at position ``place``; each consumer counts at its first virtual
    node.
    """
    queue = md5_hash(to_string(one_broker(place + 1)[place]))

    def distance(client_id: str) -> int:
        return min((md5_hash(f"{client_id}-{replica}") - queue) % 2**32 for replica in range(VIRTUAL_NODES))

    ids = client_ids(n)
    # Of colliding virtual nodes, the one with the later id stays on the ring.
    return tuple(sorted(range(n), key=lambda index: (distance(ids[index]), -index)))


def settle(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Settled:
    """Return the queues, and strategies with the client's default arguments.

    There are no digits.
    """
    return one_broker(q), tuple(strategies), None


def owned(encoding: RingEncoding, which: int, n: int, q: int, unknowns: Sequence[smt.IntTerm]) -> Owned:
    """Return for each consumer and position whether the consumer takes the queue.

    Each queue goes to the first consumer of its ``preferences``.
    """
    owners = [preferences(n, place)[0] for place in range(q)]
    return [[smt.BoolVal(owner == index) for owner in owners] for index in range(n)]


def owner_among(consumers: Sequence[smt.BoolTerm], place: int) -> smt.IntTerm:
    """Return the index of the consumer that gets the queue at ``place``; -1 if there is none.

    ``consumers``: for each consumer, whether it is on the ring.
    """
    order = preferences(len(consumers), place)
    return reduce(lambda rest, index: smt.If(consumers[index], index, rest), reversed(order), smt.IntVal(-1))


MD5_RINGS = alone(
    SettingFamily(radices=lambda n, q: (), settle=settle, names=lambda n, q: (), owned=owned),
    bound=(8, 12),
    name="md5",
    sentence="All consumers see the same lists and hash with MD5, with ten virtual nodes each.",
)
"""One group of each size, with ids c0, c1, ... and queues 0, 1, ... of broker-a."""


# The texts (keys) that clients hash to place a consumer's virtual nodes on the ring.

Keys = Callable[[Sequence[str], int], list[tuple[str, str]]]
"""``keys(ids, virtual_nodes)`` returns for each listed id its pairs of key and client id.

The nodes are in the order in which the client adds them.
"""


def keys_of(strategy: Strategy) -> Keys:
    """Return the function that gives the virtual nodes' keys in the strategy's client."""
    return go_keys if strategy.source == CONSISTENT_HASH_GO.source else java_keys


def java_keys(ids: Sequence[str], virtual_nodes: int) -> list[tuple[str, str]]:
    """Return the keys and client ids of all virtual nodes in Java, such as ``c0-3`` and ``c0``.

    A repeated id continues its replica numbers.
    """
    return [
        (f"{client_id}-{replica}", client_id)
        for client_id, first in replicas(ids, virtual_nodes)
        for replica in range(first, first + virtual_nodes)
    ]


def go_keys(ids: Sequence[str], virtual_nodes: int) -> list[tuple[str, str]]:
    """Return the keys and client ids of all virtual nodes in Go, such as ``3c0`` and ``c0``.

    A repeated id has the same keys again.
    """
    return [(f"{replica}{client_id}", client_id) for client_id in ids for replica in range(virtual_nodes)]


def replicas(ids: Sequence[str], virtual_nodes: int) -> list[tuple[str, int]]:
    """Return for each listed id the id and the number of its first virtual node in Java."""
    return [(client_id, virtual_nodes * ids[:place].count(client_id)) for place, client_id in enumerate(ids)]


# What each consumer of a group sees, as terms over the digits of a world.


def everything(queue: int) -> smt.BoolTerm:
    """Return true for every queue: mqAll has all queues. The default of ``View.sees``."""
    return smt.BoolVal(True)


@dataclass(frozen=True)
class Listed:
    """An entry of some consumer's cidAll."""

    id: smt.IntTerm
    """The client id as a number; equal ids are equal numbers."""
    present: smt.BoolTerm = YES
    """True if the id is in the list."""


@dataclass(frozen=True)
class View:
    """What one consumer sees: its id, its cidAll and its mqAll."""

    id: smt.IntTerm
    """The consumer's own id."""
    ids: tuple[tuple[int, Listed], ...]
    """The consumer's cidAll in its order: pairs of index in the group and id.

    If there are two entries for one index, only one of them is present.
    """
    sees: Callable[[int], smt.BoolTerm] = everything
    """``sees(queue)``: true if the queue is in the consumer's mqAll."""
    listed: smt.BoolTerm = YES
    """True if the consumer takes queues: its own id is in its cidAll, and it has been started."""


@dataclass(frozen=True)
class Views:
    """The views of all consumers, as functions of a world's digits."""

    world: Groups
    members: Callable[[int, int, Sequence[smt.IntTerm]], tuple[View, ...]]
    """``members(n, q, digits)`` returns each consumer's view."""
    reference: Callable[[int, int, Sequence[smt.IntTerm]], tuple[View, ...]] = lambda n, q, digits: ()
    """Function that returns each consumer's view in the reference group."""
    admits: Callable[[int, int, Sequence[smt.IntTerm]], tuple[smt.BoolTerm, ...]] = lambda n, q, digits: ()
    """The world's ``admits`` as SMT constraints, besides the range of each digit."""

    def names(self, n: int, q: int) -> list[str]:
        """Return the names of the unknown digits."""
        return [f"digit{number}" for number in range(len(self.world.radices(n, q)))]

    def constraints(self, n: int, q: int, digits: Sequence[smt.IntTerm]) -> tuple[smt.BoolTerm, ...]:
        """Return the constraints that the unknown digits encode a group."""
        return (*in_range(digits, self.world.radices(n, q)), *self.admits(n, q, digits))

    def assignment(self, n: int, q: int, values: Values) -> dict[str, int]:
        """Return the value of each unknown digit by its name."""
        return dict(zip(self.names(n, q), values, strict=True))

    def values(self, n: int, q: int, assignment: Mapping[str, int]) -> Values:
        """Return the digits that an assignment of the unknowns gives; the inverse of ``assignment``."""
        return tuple(assignment[name] for name in self.names(n, q))


class Wording(TypedDict, total=False):
    """Fields where a world with hash rings differs from the world that it is made from."""

    name: str
    sentence: str
    otherwise: str
    usual: tuple[int, int, int] | None


@dataclass(frozen=True)
class Ring:
    """The hash ring of a group, for the printed description (``model.group.Setting``)."""

    strategy: str
    """Name of the strategy that builds the ring: ``hash``, ``hash-go``."""
    virtual_nodes: int
    hashes: Mapping[str, int]
    """The hash value for each key, of virtual nodes and of queues."""
    nodes: tuple[tuple[str, str], ...]
    """Key and client id of every virtual node, in the order in which the client adds them."""
    queues: tuple[str, ...]
    """The keys (hashed texts) of the queues."""

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Return one sentence: the nodes and queues on the ring in ascending order of hash values."""
        if not self.nodes:
            return ("There are no virtual nodes.",)
        hashes = {f"virtual node {key}": self.hashes[key] for key, _ in self.nodes}
        hashes |= {f"queue {place}": self.hashes[key] for place, key in enumerate(self.queues)}
        around = ", ".join(map(" = ".join, two_rings.blocks(hashes)))
        return (f"Hash values, ascending around the ring: {around}.",)


def rings(
    world: Groups,
    views: Views,
    virtual_nodes: int,
    bound: tuple[int, int],
    *,
    collisions: bool = True,
    **fields: Unpack[Wording],
) -> Groups:
    """Return a world of a strategy with a hash ring, made from a ``world`` of plain lists.

    Each consumer has ``virtual_nodes`` virtual nodes. ``views`` gives what each consumer sees, as terms over the
    digits of ``world``. Without ``collisions``, no two virtual nodes have the same hash value; a queue may still
    have the hash value of a node. ``fields`` replace fields of the world.
    """

    def things(n: int, q: int) -> int:
        return virtual_nodes * n + q

    def split(n: int, q: int, values: Values) -> tuple[Values, Values]:
        seen = len(world.radices(n, q))
        return values[:seen], values[seen:]

    def admits(n: int, q: int, values: Values) -> bool:
        seen, order = split(n, q, values)
        if not world.admits(n, q, seen) or not two_rings.admits(order):
            return False
        nodes = two_rings.ranks_of(order)[: virtual_nodes * n]
        return collisions or len(set(nodes)) == len(nodes)

    def nth(n: int, q: int, number: int) -> Values:
        seen, order = divmod(number, orders(n, q))
        return (*world.values(n, q, seen), *order_of(n, q, order))

    def order_of(n: int, q: int, number: int) -> Values:
        return two_rings.nth_order(things(n, q), number, 0 if collisions else virtual_nodes * n)

    def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
        seen, order = split(n, q, values)
        bare = without_ring(world.group, tuple(strategies), n, q, seen, virtual_nodes)
        return bare.around_ring(two_rings.ranks_of(order))

    def symbolic(encodings: Sequence[RingEncoding], n: int, q: int) -> SymbolicGroup:
        group = symbolic_ring(encodings[0], views, virtual_nodes, n, q)
        nodes = [smt.Int(name) for name in hash_names(n, q, virtual_nodes)[: virtual_nodes * n]]
        apart = () if collisions else tuple(one != other for one, other in combinations(nodes, 2))
        return replace(group, constraints=(*group.constraints, *apart))

    def orders(n: int, q: int) -> int:
        return two_rings.count(things(n, q)) if collisions else two_rings.count_apart(virtual_nodes * n, q)

    def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
        seen, order = split(n, q, values)
        named = zip(hash_names(n, q, virtual_nodes), two_rings.ranks_of(order), strict=True)
        return {"p": queue} | dict(named) | views.assignment(n, q, seen)

    def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
        q = sum(name.startswith("queue") for name in assignment)
        order = two_rings.digits_of([assignment[name] for name in hash_names(n, q, virtual_nodes)])
        return q, (*views.values(n, q, assignment), *order)

    return replace(
        world,
        radices=lambda n, q: (*world.radices(n, q), *two_rings.radices(things(n, q))),
        admits=admits,
        groups=lambda n, q: world.groups(n, q) * orders(n, q),
        group=group,
        symbolic=symbolic,
        assignment=assignment,
        configuration=configuration,
        bound=bound,
        sized=True,
        nth=nth,
        **fields,
    )


class WithoutRing:
    """A group without hash values, to be combined with many possible rings."""

    def __init__(self, bare: Group, virtual_nodes: int) -> None:
        self._bare, self._virtual_nodes = bare, virtual_nodes
        nodes = keys_of(bare.consumers[0].strategy)(listed_ids(bare), virtual_nodes)
        self._nodes = tuple(dict.fromkeys(nodes))
        self._queues = tuple(to_string(queue) for queue in bare.queues)
        self._keys = [*(key for key, _ in nodes), *self._queues]
        self._distinct = len(set(self._keys)) == len(self._keys)

    def around_ring(self, ranks: Sequence[int]) -> Group:
        """Return the group with hash values in the order that ``ranks`` gives.

        First come the ranks of the virtual nodes, consumer by consumer, then those of the queues.
        """
        if self._distinct:
            hashes = dict(zip(self._keys, ranks, strict=True))
        else:
            hashes = {}
            for key, rank in zip(self._keys, ranks, strict=True):
                hashes.setdefault(key, rank)  # A repeated key has the same hash again.
        name = self._bare.consumers[0].strategy.name
        return self._settled(self._bare, Ring(name, self._virtual_nodes, hashes, self._nodes, self._queues), {})

    def _settled(self, group: Group, ring: Ring, configured: dict[int, Strategy]) -> Group:
        consumers = []
        for consumer in group.consumers:
            strategy = configured.get(id(consumer.strategy))
            if strategy is None:
                hash_function = ring.hashes.__getitem__
                strategy = consumer.strategy.configured(virtual_nodes=ring.virtual_nodes, hash_function=hash_function)
                configured[id(consumer.strategy)] = strategy
            consumers.append(
                Consumer(consumer.client_id, consumer.mq_all, consumer.cid_all, strategy, consumer.subscribes)
            )
        reference = self._settled(group.reference, ring, configured) if group.reference else None
        return Group(group.queues, tuple(consumers), ring, reference)


@lru_cache(maxsize=256)
def without_ring(
    group: Callable[[Sequence[Strategy], int, int, Values], Group],
    strategies: tuple[Strategy, ...],
    n: int,
    q: int,
    seen: Values,
    virtual_nodes: int,
) -> WithoutRing:
    """Return the group that ``seen`` (the digits without those of the ring) encodes.

    It is then combined with one ring after another.
    """
    return WithoutRing(group(strategies, n, q, seen), virtual_nodes)


def listed_ids(group: Group) -> list[str]:
    """Return the id at each index of the group as the other consumers see it.

    It may be older than the consumer's own id.
    """
    seen = [client_id for consumer in group.consumers for client_id in consumer.cid_all]
    return [
        consumer.client_id if consumer.client_id in seen else f"{consumer.client_id}-old"
        for consumer in group.consumers
    ]


def hash_names(n: int, q: int, virtual_nodes: int) -> list[str]:
    """Return the names of the SMT unknowns for the hash values of nodes and queues."""
    nodes = [f"node{place}-{replica}" for place in range(n) for replica in range(virtual_nodes)]
    return [*nodes, *(f"queue{position}" for position in range(q))]


def symbolic_ring(encoding: RingEncoding, views: Views, virtual_nodes: int, n: int, q: int) -> SymbolicGroup:
    """Return n consumers and q queues, with unknown hash values and unknown digits of the world."""
    names = hash_names(n, q, virtual_nodes)
    hashes = [smt.Int(name) for name in names]
    digits = tuple(smt.Int(name) for name in views.names(n, q))
    position = smt.Int("p")
    node_hashes, queue_hashes = hashes[: virtual_nodes * n], hashes[virtual_nodes * n :]

    def owned(view: View, queue: int) -> smt.BoolTerm:
        nodes = [
            Node(node_hashes[virtual_nodes * place + replica], listed.id, listed.present)
            for place, listed in view.ids
            for replica in range(virtual_nodes)
        ]
        nearest = encoding.route(queue_hashes[queue], nodes)
        return smt.And(view.sees(queue), nearest.found, nearest.owner == view.id)

    def members(views: Sequence[View]) -> tuple[Member, ...]:
        return tuple(
            replace(sized_member([owned(view, queue) for queue in range(q)], n, place, position), listed=view.listed)
            for place, view in enumerate(views)
        )

    return SymbolicGroup(
        smt.IntVal(q),
        members(views.members(n, q, digits)),
        (0 <= position, position < q, *views.constraints(n, q, digits)),
        (position, *hashes, *digits),
        members(views.reference(n, q, digits)),
    )
