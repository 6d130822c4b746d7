"""A model as tables: a state of the group is one number, and what comes next is looked up."""

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.closure import BITS, Members, Queue, members_of, queue_of, require_bits
from rebalance_proofs.spark_enum.explorer.model import Model, Move, Watch
from rebalance_proofs.spark_enum.explorer.numbering import Numbering
from rebalance_proofs.spark_enum.explorer.successors import Successors

__all__ = ["Product", "States"]

States = np.ndarray
"""Groups, one number each (``Numbering``).

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
        self.numbering = Numbering(len(self.members.states), len(self.queue.rows), model.queues)
        if self.numbering.bits > BITS:
            raise UsageError(
                f"a group of the model {model.name} takes {self.numbering.bits} bits, and {BITS} are all there are: "
                f"{len(self.members.states):,} states of its members, and {len(self.queue.rows):,} of each of "
                f"{model.queues} queues"
            )
        self._next = Successors(model, self.members, self.queue, self.numbering)

    @property
    def start(self) -> int:
        """The group at first."""
        return 0

    def parts(self, states: States) -> tuple[np.ndarray, list[np.ndarray]]:
        """The numbers of the members, and of each queue."""
        return self.numbering.who(states), self.numbering.of_queues(states)

    def whole(self, members: np.ndarray, queues: Sequence[np.ndarray]) -> States:
        """The groups of which these are the ``parts``."""
        return self.numbering.whole(members, queues)

    def group(self, state: int) -> tuple[Any, list[dict[str, int]]]:
        """The members, and each queue's numbers by name."""
        members, queues = self.numbering.of_one(state)
        rows = [self.queue.rows[number].tolist() for number in queues]
        return self.members.states[members], [dict(zip(self.model.columns, row, strict=True)) for row in rows]

    def following(self, state: int) -> Iterator[tuple[Move, int]]:
        """All that can happen in a state, and the state afterwards: as the model says it, one at a time."""
        members, queues = self.numbering.of_one(state)
        for move, turns in zip(self.moves, self.members.after, strict=True):
            turn = turns[members]
            if turn is None:
                continue
            after = turn[0]
            for letter, number, stride in zip(turn[1].letters, queues, self.numbering.strides, strict=True):
                one = int(self.queue.after[letter][number]) if letter else number
                if one < 0:
                    break
                after += one * stride
            else:
                yield move, after

    def successors(self, states: States, counts: np.ndarray | None = None) -> list[States]:
        """What can come next, with repetitions; a group that a move leaves as it is may not be among it.

        How often each move can happen, those that change nothing too, is added to ``counts``. It takes least where the
        states are in order.
        """
        return self._next.of(states, counts)

    def wrong(self, states: States) -> dict[str, States]:
        """By watch, the states in which it is so; nothing, where it is so in none."""
        if not self.model.watches or not len(states):
            return {}
        members, queues = self.parts(states)
        found = {}
        for name, by_queue in self._watched.items():
            bad = np.zeros(len(states), dtype=bool)
            for numbers, (kinds, table) in zip(queues, by_queue, strict=True):
                bad |= table[numbers] if kinds is None else table[kinds[members] + numbers]
            if bad.any():
                found[name] = states[bad]
        for name in (watch.name for watch in self.model.watches if not watch.wrong):
            stuck = self._next.stuck(members, queues)
            if len(stuck):
                found[name] = states[stuck]
        return found

    @cached_property
    def _watched(self) -> dict[str, list[tuple[np.ndarray | None, np.ndarray]]]:
        """By watch and queue: by members, where their table begins, or None where all have the same; and the tables."""
        return {
            watch.name: [self._watch(watch, queue) for queue in range(self.model.queues)]
            for watch in self.model.watches
            if watch.wrong
        }

    def _watch(self, watch: Watch, queue: int) -> tuple[np.ndarray | None, np.ndarray]:
        assert watch.wrong
        names = [watch.wrong(members, queue) for members in self.members.states]
        place = {name: number for number, name in enumerate(dict.fromkeys(names))}
        never = np.zeros(len(self.queue.rows), dtype=bool)
        table = np.concatenate([self.queue.flags[name] if name else never for name in place])
        return None if len(place) == 1 else np.array([place[name] * len(never) for name in names]), table

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        return tuple(self.model.moves)
