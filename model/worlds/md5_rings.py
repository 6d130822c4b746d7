"""The world of CONSISTENT_HASH with the client's MD5 hash: each queue's owner as a number.

The ids and queues are those of the enumerated groups.
"""

from collections.abc import Sequence
from functools import cache, reduce

from rebalance_proofs.model.allocation.consistent_hash import VIRTUAL_NODES, md5_hash
from rebalance_proofs.model.allocation.ring import RingEncoding
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import one_broker, to_string
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import Values
from rebalance_proofs.model.worlds.settings import Owned, SettingFamily, Settled, alone


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
