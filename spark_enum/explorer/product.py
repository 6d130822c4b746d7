"""A model as tables: a state of the group is one number, and successors are found by look-up."""

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.closure import BITS, Members, Queue, members_of, queue_of, require_bits
from rebalance_proofs.spark_enum.explorer.model import Model, Move, Watch
from rebalance_proofs.spark_enum.explorer.numbering import Numbering
from rebalance_proofs.spark_enum.explorer.successors import Successors

States = np.ndarray
"""Array of states of the group, one number each (``Numbering``).

In sorted arrays, groups whose queues have the same states are next to each other. The changes of these queues are
looked up once for all of them, and many successors differ only in their members.
"""


class Product:
    """A model with its tables: the states of the members combined with those of each queue.

    Raises ``UsageError`` if a state of the group does not fit into 63 bits. ``begin``: initial states of the members
    besides the model's. ``queue``: the states of a queue, if they are already known.
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
                f"the group of the model {model.name} is too large, because a state needs {self.numbering.bits} bits, "
                f"more than {BITS} ({len(self.members.states):,} states of members, and {len(self.queue.rows):,} of "
                f"each of {model.queues} queues); explore a smaller group"
            )
        self._next = Successors(model, self.members, self.queue, self.numbering)

    @property
    def start(self) -> int:
        """The number of the initial state."""
        return 0

    def parts(self, states: States) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return the numbers of the members' states, and of the states of each queue."""
        return self.numbering.who(states), self.numbering.of_queues(states)

    def whole(self, members: np.ndarray, queues: Sequence[np.ndarray]) -> States:
        """Return the group's states that combine these numbers, like those from ``parts``."""
        return self.numbering.whole(members, queues)

    def group(self, state: int) -> tuple[Any, list[dict[str, int]]]:
        """Return the members' state, and for each queue the numbers that make up its state, by name."""
        members, queues = self.numbering.of_one(state)
        rows = [self.queue.rows[number].tolist() for number in queues]
        return self.members.states[members], [dict(zip(self.model.columns, row, strict=True)) for row in rows]

    def following(self, state: int) -> Iterator[tuple[Move, int]]:
        """Yield the possible moves in a state, with the numbers of the states after them."""
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
        """Return the successors of states, with repetitions, in several arrays.

        A state that a move leaves unchanged may be missing. ``counts`` is increased by the number of possible moves,
        including moves without effect. The call is fastest for sorted states.
        """
        return self._next.of(states, counts)

    def wrong(self, states: States) -> dict[str, States]:
        """Return the bad states (watches) among these states: name -> states in which it holds.

        A bad state that does not occur has no entry.
        """
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
        """Lookup tables for each bad state (watch), by name: one entry for each queue.

        An entry has offsets by state of the members (None: all 0), and a table by the offset plus the queue's number.
        """
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
