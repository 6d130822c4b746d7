"""The world of CONSISTENT_HASH in two clients with different hash functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import comb, factorial

from rebalance_proofs.model.allocation.ring import Node, RingEncoding
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import MessageQueue, one_broker, to_string
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import Values
from rebalance_proofs.model.worlds.settings import Owned, SettingFamily, compared, mixed

# Weak orders: all possible results of comparing numbers with each other.
# Two numbers can be smaller, equal or larger. A weak order of m items is encoded as m digits. Items are added one by
# one to an ordered list of blocks of equal items. With k blocks, digit 2 * b inserts the next item as a new block
# before block b (after the last block for b = k), and digit 2 * b + 1 adds it to block b.

Digits = tuple[int, ...]


def radices(things: int) -> Digits:
    """Return the radices of the digits for a number of items.

    Digit j is below 2 * j + 1, the maximum with j blocks.
    """
    return tuple(2 * number + 1 for number in range(things))


def admits(digits: Sequence[int]) -> bool:
    """Return whether each digit refers to an existing position among the blocks."""
    most = 0  # twice the number of blocks so far
    for digit in digits:
        if digit > most:
            return False
        if digit % 2 == 0:
            most += 2
    return True


@cache
def count(things: int) -> int:
    """Return the number of weak orders: the Fubini (ordered Bell) number."""
    if things == 0:
        return 1
    return sum(comb(things, first) * count(things - first) for first in range(1, things + 1))


@cache
def count_apart(apart: int, others: int) -> int:
    """Return the number of weak orders in which the first ``apart`` items are all different."""
    return factorial(apart) * behind(apart, others)


@cache
def behind(blocks: int, left: int) -> int:
    """Return the number of ways to add ``left`` items to an ordered list of ``blocks`` blocks.

    Each item goes to a block, or before or after one.
    """
    return blocks * behind(blocks, left - 1) + (blocks + 1) * behind(blocks + 1, left - 1) if left else 1


def nth_order(things: int, number: int, apart: int = 0) -> Digits:
    """Return the digits of the weak order with that index, in ascending order.

    Only orders in which the first ``apart`` items are all different are counted.
    """
    following = [behind(apart, things - apart)]
    for blocks in range(apart, 1, -1):
        following.append(following[-1] * blocks)
    found = []
    for ways in reversed(following[:apart]):
        place, number = divmod(number, ways)
        found.append(2 * place)
    blocks = apart
    for left in range(things - apart - 1, -1, -1):
        alone, inside = behind(blocks + 1, left), behind(blocks, left)
        place, number = divmod(number, alone + inside)
        joins = number >= alone
        if joins:
            number -= alone
        else:
            blocks += 1
        found.append(2 * place + joins)
    return tuple(found)


@lru_cache(maxsize=1024)
def ranks_of(digits: Digits) -> tuple[int, ...]:
    """Return the block index of each item, counted from 0."""
    found: list[int] = []
    for digit in digits:
        block, joins = divmod(digit, 2)
        if not joins:
            found = [rank + (rank >= block) for rank in found]
        found.append(block)
    return tuple(found)


def blocks(numbers: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Return the items by ascending number; items with the same number are one block."""
    found: dict[int, list[str]] = {}
    for thing, number in numbers.items():
        found.setdefault(number, []).append(thing)
    return tuple(tuple(found[number]) for number in sorted(found))


def digits_of(numbers: Sequence[int]) -> Digits:
    """Return the digits of the weak order of any numbers; the inverse of ``ranks``."""
    found = []
    for place, number in enumerate(numbers):
        before = sorted(set(numbers[:place]))
        block = sum(other < number for other in before)
        found.append(2 * block + (number in before))
    return tuple(found)


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
        ranks = ranks_of(values[which * (n + q) : (which + 1) * (n + q)])
        keys = [KEYS[which].format(client_id=client_id) for client_id in ids]
        hashes = dict(zip([*keys, *map(to_string, queues)], ranks, strict=True))
        settled.append(strategy.configured(virtual_nodes=1, hash_function=hashes.__getitem__))
        ranked = dict(zip([*ids, *(f"queue {place}" for place in range(q))], ranks, strict=True))
        orders.append(tuple(map(" = ".join, blocks(ranked))))
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
    first, second = divmod(number, count(n + q))
    return (*nth_order(n + q, first), *nth_order(n + q, second))


CASE = SettingFamily(
    radices=lambda n, q: 2 * radices(n + q),
    settle=settle,
    names=names,
    owned=owned,
    constraints=lambda n, q, hashes: (),
    admits=lambda n, q, values: admits(values[: n + q]) and admits(values[n + q :]),
    groups=lambda n, q: count(n + q) ** 2,
    nth=nth,
    numbers=lambda n, q, values: (*ranks_of(values[: n + q]), *ranks_of(values[n + q :])),
    values=lambda n, q, hashes: (
        *digits_of(hashes[: n + q]),
        *digits_of(hashes[n + q :]),
    ),
)

RINGS_COMPARED = compared(
    CASE,
    bound=(2, 2),
    name="rings-of-two-clients",
    sentence="All consumers see the same lists; each client has its own hash function.",
)
RINGS_MIXED = mixed(CASE, bound=(2, 2))
