"""A model as tables: a state of the group is one number, and what comes next is looked up."""

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.closure import BITS, Members, Queue, members_of, queue_of, require_bits, width
from rebalance_proofs.spark_enum.explorer.keys import Parted, held_in
from rebalance_proofs.spark_enum.explorer.model import Model, Move, Watch
from rebalance_proofs.spark_enum.explorer.successors import Edges, Successors

__all__ = ["Product", "States"]

PARTS = 32
"""In memory."""
States = np.ndarray
"""Groups, one number each (``Product.dtype``): each queue's, and the members' in the low bits.

In order, groups whose queues are alike are beside each other. What happens to these queues is looked up once for all of
them; and much of what can come next is the same queues with other members.
"""


class Product:
    """Raises ``UsageError`` where a state of the group does not fit into 63 bits.

    ``begin``: what else the members can be at first; ``queue``: what there can be of a queue, where that is known.
    """

    def __init__(self, model: Model, begin: Sequence[Hashable] = (), queue: Queue | None = None) -> None:
        self.model = model
        if queue is None:
            require_bits(model)
        self.members: Members = members_of(model, begin)
        self.queue: Queue = queue or queue_of(model, self.members)
        self.width = width(len(self.queue.rows))
        self.low = width(len(self.members.states))
        self.shifts = [self.low + self.width * place for place in reversed(range(model.queues))]
        self.bits = self.low + self.width * model.queues
        if self.bits > BITS:
            raise UsageError(
                f"a group of the model {model.name} takes {self.bits} bits, and {BITS} are all there are: "
                f"{len(self.members.states):,} states of its members, and {len(self.queue.rows):,} of each of "
                f"{model.queues} queues"
            )
        self.dtype = held_in(self.bits)
        self._mask = self.dtype.type((1 << self.width) - 1)
        self._who = self.dtype.type((1 << self.low) - 1)
        self._next = Successors(model, self.members, self.queue, self.shifts, self.dtype)

    @property
    def start(self) -> int:
        """The group at first."""
        return 0

    def order(self, parts: int = PARTS) -> Parted:
        """States in so many parts, or in fewer where there are no more numbers."""
        return Parted(self.bits, self.low, min(parts, 1 << self.bits))

    def parts(self, states: States) -> tuple[np.ndarray, list[np.ndarray]]:
        """The numbers of the members, and of each queue."""
        return states & self._who, [(states >> shift) & self._mask for shift in self.shifts]

    def whole(self, members: np.ndarray, queues: Sequence[np.ndarray]) -> States:
        """The groups of which these are the ``parts``."""
        states = members.astype(self.dtype)
        for numbers, shift in zip(queues, self.shifts, strict=True):
            states |= numbers.astype(self.dtype) << shift
        return states

    def group(self, state: int) -> tuple[Any, list[dict[str, int]]]:
        """The members, and each queue's numbers by name."""
        rows = [self.queue.rows[(state >> shift) & ((1 << self.width) - 1)].tolist() for shift in self.shifts]
        return self.members.states[state & int(self._who)], [
            dict(zip(self.model.columns, row, strict=True)) for row in rows
        ]

    def following(self, state: int) -> Iterator[tuple[Move, int]]:
        """All that can happen in a state, and the state afterwards: as the model says it, one at a time."""
        mask = (1 << self.width) - 1
        for move, turns in zip(self.moves, self.members.after, strict=True):
            turn = turns[state & int(self._who)]
            if turn is None:
                continue
            after = turn[0]
            for letter, shift in zip(turn[1].letters, self.shifts, strict=True):
                number = (state >> shift) & mask
                one = int(self.queue.after[letter][number]) if letter else number
                if one < 0:
                    break
                after |= one << shift
            else:
                yield move, after

    def successors(self, states: States, counts: np.ndarray | None = None) -> list[States]:
        """What can come next, with repetitions; a group that a move leaves as it is may not be among it.

        How often each move can happen, those that change nothing too, is added to ``counts``. It takes least where the
        states are in order.
        """
        return [after for _, after in self.edges(states, counts)]

    def edges(self, states: States, counts: np.ndarray | None = None) -> Edges:
        """The same, with the places of the states that they come next to."""
        members, queues = self.parts(states)
        return self._next.of(states, members, queues, counts)

    def wrong(self, states: States) -> dict[str, States]:
        """By watch, the states in which it is so; nothing, where it is so in none."""
        if not self.model.watches or not len(states):
            return {}
        members, queues = self.parts(states)
        found = {}
        for name, by_queue in self._watched.items():
            bad = np.zeros(len(states), dtype=bool)
            for numbers, (kinds, table) in zip(queues, by_queue, strict=True):
                bad |= table[kinds[members] + numbers]
            if bad.any():
                found[name] = states[bad]
        for name in (watch.name for watch in self.model.watches if not watch.wrong):
            stuck = self._next.stuck(members, queues)
            if len(stuck):
                found[name] = states[stuck]
        return found

    @cached_property
    def _watched(self) -> dict[str, list[tuple[np.ndarray, np.ndarray]]]:
        """By watch and queue: by members, where their table begins; and the tables."""
        return {
            watch.name: [self._watch(watch, queue) for queue in range(self.model.queues)]
            for watch in self.model.watches
            if watch.wrong
        }

    def _watch(self, watch: Watch, queue: int) -> tuple[np.ndarray, np.ndarray]:
        assert watch.wrong
        names = [watch.wrong(members, queue) for members in self.members.states]
        place = {name: number for number, name in enumerate(dict.fromkeys(names))}
        never = np.zeros(len(self.queue.rows), dtype=bool)
        table = np.concatenate([self.queue.flags[name] if name else never for name in place])
        return np.array([place[name] * len(never) for name in names], dtype=np.int64), table

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        return tuple(self.model.moves)
