"""Table of the moves that concern one queue only, by the members' and the queue's state."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from rebalance_proofs.spark_enum.explorer.closure import Members, Queue


class Refused(Enum):
    """Raised if the members' state does not permit an act."""

    REFUSED = auto()


@dataclass(frozen=True)
class Alone:
    """The table for one queue.

    States of the members that permit the same moves are of one kind, and share a part of the table.
    """

    kinds: np.ndarray | None
    """By state of the members, the offset of its kind in the tables; None if all are of one kind."""
    begin: np.ndarray
    """By kind and state of the queue, the index of the first move in ``change``."""
    many: np.ndarray
    """By kind and state of the queue, the number of possible moves."""
    move: np.ndarray
    change: np.ndarray
    """By move, the change of the number of the group's state."""

    def places(self, members: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Return the index in ``begin`` and ``many`` for each pair of members' and queue's state."""
        return numbers if self.kinds is None else self.kinds[members] + numbers

    def moves(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the number of moves for each index, and the indexes of all these moves in ``change``."""
        many = self.many[places]
        ends = np.cumsum(many)
        found = np.repeat(self.begin[places] - ends + many, many)
        found += np.arange(len(found))
        return many, found


def alone(members: Members, queue: Queue, place: int, moves: Sequence[int], stride: np.signedinteger) -> Alone:
    """Return the table of the moves that concern only the queue with index ``place``.

    ``stride`` is the weight of the queue's number in the number of the group's state.
    """
    own = np.arange(len(queue.rows))
    letters = [[turn[1].letters[place] if turn else Refused.REFUSED for turn in members.after[move]] for move in moves]
    turns = [(at, one) for at, told in enumerate(letters) for one in dict.fromkeys(told) if one is not Refused.REFUSED]
    after = [queue.after[letter] if letter else own for _, letter in turns]
    can = np.array([one >= 0 for one in after], dtype=bool).reshape(-1, len(own)).T
    change = np.array([one - own for one in after], dtype=stride.dtype).reshape(-1, len(own)).T * stride
    move = np.broadcast_to(np.array([moves[at] for at, _ in turns], dtype=np.int64), can.shape)
    lets = np.array([[one == letter for one in letters[at]] for at, letter in turns], dtype=bool)
    some, kinds = np.unique(lets.reshape(-1, len(members.states)), axis=1, return_inverse=True)
    parts = [can & let for let in some.T]
    many = np.concatenate([part.sum(axis=1) for part in parts])
    return Alone(
        kinds.reshape(-1) * len(own) if len(parts) > 1 else None,
        np.cumsum(many) - many,
        many,
        np.concatenate([move[part] for part in parts]),
        np.concatenate([change[part] for part in parts]),
    )
