"""CONSISTENT_HASH with any hash function.

The world contains every order of virtual nodes and queues around the ring. Such a world is made from a world over plain
lists. Its digits determine which consumer sees which ids and queues. The digits of a weak order determine how the hash
values of all virtual nodes and queues compare, including collisions. Nothing else about a hash function matters.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import TypedDict, Unpack

from rebalance_proofs.model.allocation.ring import Node, RingEncoding
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.queues import to_string
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds import weak_orders
from rebalance_proofs.model.worlds.groups import Groups, Member, SymbolicGroup, Values
from rebalance_proofs.model.worlds.ring_keys import keys_of
from rebalance_proofs.model.worlds.sized import sized_member
from rebalance_proofs.model.worlds.views import View, Views


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
        around = ", ".join(map(" = ".join, weak_orders.blocks(hashes)))
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
        if not world.admits(n, q, seen) or not weak_orders.admits(order):
            return False
        nodes = weak_orders.ranks(order)[: virtual_nodes * n]
        return collisions or len(set(nodes)) == len(nodes)

    def nth(n: int, q: int, number: int) -> Values:
        seen, order = divmod(number, orders(n, q))
        return (*world.values(n, q, seen), *order_of(n, q, order))

    def order_of(n: int, q: int, number: int) -> Values:
        return weak_orders.nth(things(n, q), number, 0 if collisions else virtual_nodes * n)

    def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
        seen, order = split(n, q, values)
        bare = without_ring(world.group, tuple(strategies), n, q, seen, virtual_nodes)
        return bare.around_ring(weak_orders.ranks(order))

    def symbolic(encodings: Sequence[RingEncoding], n: int, q: int) -> SymbolicGroup:
        group = symbolic_ring(encodings[0], views, virtual_nodes, n, q)
        nodes = [smt.Int(name) for name in hash_names(n, q, virtual_nodes)[: virtual_nodes * n]]
        apart = () if collisions else tuple(one != other for one, other in combinations(nodes, 2))
        return replace(group, constraints=(*group.constraints, *apart))

    def orders(n: int, q: int) -> int:
        return weak_orders.count(things(n, q)) if collisions else weak_orders.count_apart(virtual_nodes * n, q)

    def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
        seen, order = split(n, q, values)
        named = zip(hash_names(n, q, virtual_nodes), weak_orders.ranks(order), strict=True)
        return {"p": queue} | dict(named) | views.assignment(n, q, seen)

    def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
        q = sum(name.startswith("queue") for name in assignment)
        order = weak_orders.digits_of([assignment[name] for name in hash_names(n, q, virtual_nodes)])
        return q, (*views.values(n, q, assignment), *order)

    return replace(
        world,
        radices=lambda n, q: (*world.radices(n, q), *weak_orders.radices(things(n, q))),
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
