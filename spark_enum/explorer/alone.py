"""What can happen to one queue alone: looked up by the members and by the queue."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from rebalance_proofs.spark_enum.explorer.closure import Members, Queue

__all__ = ["Alone", "alone"]


class Refused(Enum):
    """In the place of a letter, where the members do not let the move happen."""

    REFUSED = auto()


@dataclass(frozen=True)
class Alone:
    """Of one queue. Members that let the same happen to it are of one kind."""

    kinds: np.ndarray | None
    """By members, where the queue's states begin in the table of their kind; None where all are of one."""
    begin: np.ndarray
    """By kind and the queue's state, where its moves begin,"""
    many: np.ndarray
    """and how many there are."""
    move: np.ndarray
    change: np.ndarray
    """What the group's number changes by."""

    def places(self, members: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """By group, which kind and state of the queue it has."""
        return numbers if self.kinds is None else self.kinds[members] + numbers

    def moves(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How many moves each group has, and where they are, one group's behind the other's."""
        many = self.many[places]
        ends = np.cumsum(many)
        found = np.repeat(self.begin[places] - ends + many, many)
        found += np.arange(len(found))
        return many, found


def alone(members: Members, queue: Queue, place: int, moves: Sequence[int], stride: np.signedinteger) -> Alone:
    """Of the queue at this place, which these moves concern, and nothing else; ``stride``: what its number counts."""
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
