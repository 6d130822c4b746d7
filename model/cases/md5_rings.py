"""CONSISTENT_HASH under MD5 for the ids and queues of the enumerated groups: whom each queue prefers, as numerals."""

from collections.abc import Sequence
from functools import cache, reduce

import z3

from model.allocation.consistent_hash import VIRTUAL_NODES, md5_hash
from model.group import client_ids
from model.queues import one_broker, to_string


@cache
def preferences(n: int, place: int) -> tuple[int, ...]:
    """The n consumers in the order in which queue ``place`` meets their first virtual nodes on the way up the ring."""
    queue = md5_hash(to_string(one_broker(place + 1)[place]))

    def distance(client_id: str) -> int:
        return min((md5_hash(f"{client_id}-{replica}") - queue) % 2**32 for replica in range(VIRTUAL_NODES))

    ids = client_ids(n)
    return tuple(sorted(range(n), key=lambda index: distance(ids[index])))


def owner_among(consumers: Sequence[z3.BoolRef], place: int) -> z3.ArithRef:
    """The index of the consumer that gets queue ``place`` when these consumers are on the ring; -1 when none is."""
    order = preferences(len(consumers), place)
    return reduce(lambda rest, index: z3.If(consumers[index], index, rest), reversed(order), z3.IntVal(-1))
