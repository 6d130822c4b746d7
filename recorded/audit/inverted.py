"""Inverse of the strategies: which positions in cidAll would get the given queues?"""

from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM, java_split, machine_room
from rebalance_proofs.model.queues import MessageQueue, one_broker, utf16_units
from rebalance_proofs.recorded.logs.fact import Queue

INVERTED = {one.rocketmq_name: one for one in (AVERAGELY, AVERAGELY_BY_CIRCLE)}
"""Strategies (RocketMQ's names) whose result depends only on index and sizes of lists."""
RING, ROOMS = CONSISTENT_HASH.rocketmq_name, MACHINE_ROOM.rocketmq_name
MOST = 4096
"""Largest number of queues or consumers for which results are computed."""
MOST_NAMES = 200
"""Largest number of consumers for which the ring of CONSISTENT_HASH is built."""
MOST_TRIED = 10_000
"""Largest number of pairs (index in cidAll, choice of machine rooms) that are tried."""


@cache
def _shares(strategy: str, queues: int, members: int) -> tuple[frozenset[int], ...]:
    """Return, for each index in cidAll, the positions in mqAll that this consumer gets."""
    cid_all = [str(number) for number in range(members)]
    mq_all = one_broker(queues)
    allocate = INVERTED[strategy].allocate
    return tuple(frozenset(queue.queue_id for queue in allocate(cid, mq_all, cid_all) or ()) for cid in cid_all)


def indexes(strategy: str, mq_all: Sequence[Queue], members: int, result: Collection[Queue]) -> tuple[int, ...] | None:
    """Return the indexes in cidAll of consumers that would get exactly the queues in ``result``.

    Return None if the strategy has no inverse here, or if there are too many queues or consumers.
    """
    if not 0 < members <= MOST or not 0 < len(mq_all) <= MOST:
        return None
    if strategy == ROOMS:
        return _in_rooms(tuple(mq_all), members, frozenset(result))
    if strategy == RING and members == 1:
        return (0,) if set(result) == set(mq_all) else ()  # for every hash, and every virtual node count but 0
    if strategy not in INVERTED:
        return None
    places = {queue: place for place, queue in enumerate(mq_all)}
    if any(queue not in places for queue in result):
        return ()
    wanted = frozenset(places[queue] for queue in result)
    return tuple(index for index, own in enumerate(_shares(strategy, len(mq_all), members)) if own == wanted)


def sizes(strategy: str, queues: int, members: int) -> frozenset[int] | None:
    """Return the possible numbers of queues that one consumer gets.

    Return None in the same cases as ``indexes``.
    """
    if not 0 < members <= MOST or not 0 < queues <= MOST:
        return None
    if strategy == ROOMS:
        return frozenset(range(-(-queues // members) + 1))  # The number of queues in the strategy's rooms is not known.
    if strategy not in INVERTED:
        return None
    return frozenset(len(own) for own in _shares(strategy, queues, members))


def by_names(strategy: str, mq_all: Sequence[Queue], cid_all: Sequence[str], client: str) -> frozenset[Queue] | None:
    """Return a client's queues by CONSISTENT_HASH with default hash and virtual nodes.

    Return None for other strategies, and if there are too many queues or consumers.
    """
    if strategy != RING or len(mq_all) > MOST or len(cid_all) > MOST_NAMES:
        return None
    own = CONSISTENT_HASH.allocate(client, [MessageQueue(*queue) for queue in mq_all], sorted(cid_all, key=utf16_units))
    return frozenset((one.topic or "", one.broker_name or "", one.queue_id) for one in own or ())


@lru_cache(maxsize=1024)
def _in_rooms(mq_all: tuple[Queue, ...], members: int, result: frozenset[Queue]) -> tuple[int, ...] | None:
    """Return the indexes in cidAll that get the result with some list of machine rooms.

    No line logs ``consumeridcs``, so all lists are tried.
    """
    rooms = {queue: _room(queue) for queue in mq_all}
    if any(not rooms.get(queue) for queue in result):
        return ()
    needed = {rooms[queue] for queue in result}
    others = sorted(set(filter(None, rooms.values())) - needed)
    if members << len(others) > MOST_TRIED:
        return None
    cid_all = [str(number) for number in range(members)]
    queues = [MessageQueue(*queue) for queue in mq_all]
    wanted = {MessageQueue(*queue) for queue in result}
    return tuple(
        index
        for index, cid in enumerate(cid_all)
        if any(set(machine_room(chosen)(cid, queues, cid_all) or ()) == wanted for chosen in _choices(needed, others))
    )


def _room(queue: Queue) -> str:
    parts = java_split(queue[1])
    return parts[0] if len(parts) == 2 else ""


def _choices(needed: set[str], others: Sequence[str]) -> Iterator[set[str]]:
    for many in range(len(others) + 1):
        for more in combinations(others, many):
            yield needed | set(more)
