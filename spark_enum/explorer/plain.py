"""Direct evaluation of a model, one state at a time, without the tables that explorations use."""

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

import numpy as np

from rebalance_proofs.spark_enum.explorer.model import Model, Move


class State(NamedTuple):
    """A state of a group: the state of its members, and that of each queue."""

    members: Hashable
    queues: tuple[bytes, ...]
    """The state of each queue, as the bytes of its row."""


class Plain:
    """Successors of states, computed by the model's own functions; the results of acts are cached."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._after: dict[tuple[str, bytes], bytes | None] = {}

    @property
    def start(self) -> State:
        """Return the initial state."""
        return State(self.model.members, (self._key(self.model.begin),) * self.model.queues)

    @staticmethod
    def _key(row: np.ndarray) -> bytes:
        return np.ascontiguousarray(row, dtype=np.int8).tobytes()

    def numbers(self, row: bytes) -> dict[str, int]:
        """Return the numbers that make up a queue's state, by name."""
        return dict(zip(self.model.columns, np.frombuffer(row, dtype=np.int8).tolist(), strict=True))

    def act(self, letter: str, row: bytes) -> bytes | None:
        """Return a queue's state after an act; None if the act is impossible."""
        if (letter, row) not in self._after:
            can, then = self.model.acts[letter](np.frombuffer(row, dtype=np.int8).reshape(1, -1).copy())
            possible = bool(np.broadcast_to(can, 1)[0])
            self._after[letter, row] = self._key(then) if possible else None
        return self._after[letter, row]

    def after(self, state: State, move: Move) -> State | None:
        """Return the group's state after a move; None if the move is impossible."""
        changed: Any = self.model.after(state.members, move)
        if changed is None:
            return None
        queues = []
        for letter, row in zip(changed.letters, state.queues, strict=True):
            then = self.act(letter, row) if letter else row
            if then is None:
                return None
            queues.append(then)
        return State(changed.members, tuple(queues))

    def following(self, state: State) -> Iterator[tuple[Move, State]]:
        """Yield all possible moves in a state, with the states after them."""
        for move in self.model.moves:
            then = self.after(state, move)
            if then is not None:
                yield move, then
