"""The world of CONSISTENT_HASH in two clients with different hash functions."""

from collections.abc import Sequence
from dataclasses import dataclass

from rebalance_proofs.model.allocation.ring import Node, RingEncoding
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import MessageQueue, one_broker, to_string
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds import weak_orders
from rebalance_proofs.model.worlds.groups import Values
from rebalance_proofs.model.worlds.settings import Owned, SettingFamily, compared, mixed

KEYS = ("{client_id}-0", "0{client_id}")
"""The key that each of the two clients hashes for a consumer's single virtual node."""


@dataclass(frozen=True)
class TwoRings:
    """The rings of both clients, for the printed description of a group."""

    clients: tuple[str, ...]
    orders: tuple[tuple[str, ...], ...]
    """Consumers and queues on each ring by ascending hash.

    Those that collide are joined by ``=``.
    """

    @property
    def notes(self) -> tuple[str, ...]:
        """Return one sentence for each client's ring, for the printed description of the group."""
        return tuple(
            f"Hash values in {client}, ascending around the ring: {', '.join(order)}."
            for client, order in zip(self.clients, self.orders, strict=True)
        )


def settle(
    strategies: Sequence[Strategy], n: int, q: int, values: Values
) -> tuple[tuple[MessageQueue, ...], tuple[Strategy, ...], TwoRings]:
    """Return the queues, configured strategies and rings that the digits ``values`` encode.

    For each client, the digits encode the order of consumers and queues on its ring (``model.worlds.weak_orders``).
    """
    ids, queues = client_ids(n), one_broker(q)
    settled, orders = [], []
    for which, strategy in enumerate(strategies):
        ranks = weak_orders.ranks(values[which * (n + q) : (which + 1) * (n + q)])
        keys = [KEYS[which].format(client_id=client_id) for client_id in ids]
        hashes = dict(zip([*keys, *map(to_string, queues)], ranks, strict=True))
        settled.append(strategy.configured(virtual_nodes=1, hash_function=hashes.__getitem__))
        ranked = dict(zip([*ids, *(f"queue {place}" for place in range(q))], ranks, strict=True))
        orders.append(tuple(map(" = ".join, weak_orders.blocks(ranked))))
    names = tuple(strategy.name for strategy in strategies)
    return queues, tuple(settled), TwoRings(names, tuple(orders))


def names(n: int, q: int) -> list[str]:
    """Return the names of the SMT unknowns for the hash values, the first client's first."""
    return [
        name
        for which in ("first", "second")
        for name in (*(f"{which}-node{place}" for place in range(n)), *(f"{which}-queue{place}" for place in range(q)))
    ]


def owned(encoding: RingEncoding, which: int, n: int, q: int, hashes: Sequence[smt.IntTerm]) -> Owned:
    """Return for each consumer and position whether the consumer takes the queue, by its ring."""
    mine = hashes[which * (n + q) : (which + 1) * (n + q)]
    nodes = [Node(mine[place], smt.IntVal(place)) for place in range(n)]
    owners = [encoding.route(mine[n + place], nodes).owner for place in range(q)]
    return [[owner == index for owner in owners] for index in range(n)]


def nth(n: int, q: int, number: int) -> Values:
    """Return the digits of the setting with this index. The first ring changes slowest."""
    first, second = divmod(number, weak_orders.count(n + q))
    return (*weak_orders.nth(n + q, first), *weak_orders.nth(n + q, second))


CASE = SettingFamily(
    radices=lambda n, q: 2 * weak_orders.radices(n + q),
    settle=settle,
    names=names,
    owned=owned,
    constraints=lambda n, q, hashes: (),
    admits=lambda n, q, values: weak_orders.admits(values[: n + q]) and weak_orders.admits(values[n + q :]),
    groups=lambda n, q: weak_orders.count(n + q) ** 2,
    nth=nth,
    numbers=lambda n, q, values: (*weak_orders.ranks(values[: n + q]), *weak_orders.ranks(values[n + q :])),
    values=lambda n, q, hashes: (
        *weak_orders.digits_of(hashes[: n + q]),
        *weak_orders.digits_of(hashes[n + q :]),
    ),
)

RINGS_COMPARED = compared(
    CASE,
    bound=(2, 2),
    name="rings-of-two-clients",
    sentence="All consumers see the same lists; each client has its own hash function.",
)
RINGS_MIXED = mixed(CASE, bound=(2, 2))
