"""A model as it says itself what follows from a state, one state at a time: no tables, no numbers for states."""

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

import numpy as np

from rebalance_proofs.spark_enum.explorer.model import Model, Move

__all__ = ["Plain", "State"]


class State(NamedTuple):
    """A group."""

    members: Hashable
    queues: tuple[bytes, ...]
    """Each queue's row."""


class Plain:
    """What is worked out is kept: by act and row of a queue, the row afterwards; None where the act cannot be."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._after: dict[tuple[str, bytes], bytes | None] = {}

    @property
    def start(self) -> State:
        """The group at first."""
        return State(self.model.members, (self._key(self.model.begin),) * self.model.queues)

    @staticmethod
    def _key(row: np.ndarray) -> bytes:
        return np.ascontiguousarray(row, dtype=np.int8).tobytes()

    def numbers(self, row: bytes) -> dict[str, int]:
        """A queue's, by name."""
        return dict(zip(self.model.columns, np.frombuffer(row, dtype=np.int8).tolist(), strict=True))

    def act(self, letter: str, row: bytes) -> bytes | None:
        """What comes of an act."""
        if (letter, row) not in self._after:
            can, then = self.model.acts[letter](np.frombuffer(row, dtype=np.int8).reshape(1, -1).copy())
            possible = bool(np.broadcast_to(can, 1)[0])
            self._after[letter, row] = self._key(then) if possible else None
        return self._after[letter, row]

    def after(self, state: State, move: Move) -> State | None:
        """What comes of a move; None where it cannot happen."""
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
        """All that can happen, and the state afterwards."""
        for move in self.model.moves:
            then = self.after(state, move)
            if then is not None:
                yield move, then
