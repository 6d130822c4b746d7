"""Inputs of ``machine_room.tsv``: consumeridcs, broker of each queue, number of consumers."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.rows import TOPIC
from rebalance_proofs.recorded.shares import computed_shares, shipped

Kinds = dict[str, str]
"""Digit that stands for a broker -> brokerName."""


class RoomRow(NamedTuple):
    """Inputs of one row, as the file writes them."""

    mode: str
    rooms: str
    """The setting consumeridcs, as the file writes it."""
    kinds: str
    """One digit for each queue of mqAll, which stands for its broker."""
    consumers: int

    @property
    def what(self) -> str:
        """Return the inputs as text for messages."""
        return f"MACHINE_ROOM of {self.rooms} with queues {self.kinds}, c={self.consumers}"


SORTED_ROOMS = ("<none>", "room1", "room2", "room1+room2", "<empty>", "<empty>+room1", "room1+room3")
SEQUENCE_ROOMS = ("room1", "room2", "room1+room2")
CONSUMERS = range(1, 5)


@cache
def whole_set() -> tuple[RoomRow, ...]:
    """Return all rows of the set, of which the recorded rows are a part, in order.

    Row numbers of ``machine_room_divergence.tsv`` refer to this set. ``sorted`` has every choice of up to four of the
    eight kinds in the order of their names, ``seq`` every sequence of up to five of four kinds.
    """
    return (
        *rows_of("sorted", SORTED_ROOMS, combinations_with_replacement, "01234567", 4),
        *rows_of("seq", SEQUENCE_ROOMS, lambda kinds, size: product(kinds, repeat=size), "1367", 5),
    )


def rows_of(
    mode: str,
    rooms: Sequence[str],
    choose: Callable[[str, int], Iterable[tuple[str, ...]]],
    kinds: str,
    most: int,
) -> list[RoomRow]:
    """Return the rows of one mode, with one to ``most`` queues.

    ``choose`` returns the choices of brokers (digits in ``kinds``) for a number of queues.
    """
    chosen = sorted("".join(found) for size in range(1, most + 1) for found in choose(kinds, size))
    return [RoomRow(mode, where, queues, consumers) for queues, where, consumers in product(chosen, rooms, CONSUMERS)]


def chosen_rooms(text: str) -> list[str]:
    """Parse consumeridcs: ``<none>`` is no room, ``<empty>`` the room with an empty name."""
    if text == "<none>":
        return []
    return ["" if room == "<empty>" else room for room in text.split("+")]


def compute(profile: Profile, row: RoomRow, kinds: Kinds) -> str:
    """Return every consumer's positions in mqAll by the model, in the file's notation.

    Return the client's error as text if it throws.
    """
    strategy = shipped(profile, "MACHINE_ROOM", consumeridcs=chosen_rooms(row.rooms))
    mq_all = [MessageQueue(TOPIC, kinds[kind], queue_id) for queue_id, kind in enumerate(row.kinds)]
    cid_all = [f"c{index}" for index in range(row.consumers)]
    return computed_shares(profile, strategy, mq_all, cid_all)
