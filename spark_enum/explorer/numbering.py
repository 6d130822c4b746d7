"""Numbering of a group's states: a number combines those of queues' and members' states."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rebalance_proofs.spark_enum.explorer.keys import Parted, held_in

NEAR = 3
"""Extra low bits that do not influence a state's part (``Parted``).

Groups whose queues have the same states differ in low bits only. With these bits, at most about one in 2**NEAR sets of
such groups is divided between parts.
"""


@dataclass(frozen=True)
class Numbering:
    """Numbers of a group's states as mixed-radix numerals.

    The most significant digit is the first queue's state, and the least significant is the members' state. No number is
    left out, so that a state needs few bits.
    """

    members: int
    """Number of states that the members can have."""
    rows: int
    """Number of states that each queue can have."""
    queues: int

    @property
    def numbers(self) -> int:
        """Number of possible numbers, including those of unreachable states."""
        numbers: int = self.members * self.rows**self.queues
        return numbers

    @property
    def bits(self) -> int:
        return max(1, (self.numbers - 1).bit_length())

    @cached_property
    def dtype(self) -> np.dtype:
        """NumPy type of the numbers."""
        return held_in(self.bits)

    @cached_property
    def strides(self) -> list[int]:
        """For each queue, the weight of its state's number in the number of the group's state."""
        return [self.members * self.rows**below for below in reversed(range(self.queues))]

    def order(self, parts: int) -> Parted:
        """Return the keys in ``parts`` parts, or in fewer parts if there are fewer numbers."""
        return Parted(self.bits, (self.members - 1).bit_length() + NEAR, min(parts, 1 << self.bits))

    @property
    def as_they_are(self) -> Parted:
        """Return a division into a single part, in which the keys are the numbers of the states."""
        return Parted(self.bits, self.bits, 1)

    def who(self, groups: np.ndarray) -> np.ndarray:
        """Return the numbers of the members' states, for these states of the group."""
        # NumPy is much slower with remainders
        found: np.ndarray = groups - groups // self.dtype.type(self.members) * self.dtype.type(self.members)
        return found

    def of_queues(self, groups: np.ndarray) -> list[np.ndarray]:
        """Return, for each queue, the numbers of its states, for these states of the group."""
        found, above = [], groups // self.dtype.type(self.members)
        for _ in range(self.queues):
            groups, above = above, above // self.dtype.type(self.rows)
            found.append(groups - above * self.dtype.type(self.rows))
        return found[::-1]

    def whole(self, members: np.ndarray, queues: Sequence[np.ndarray]) -> np.ndarray:
        """Return the states of the group that combine these states of the members and of the queues."""
        groups = members.astype(self.dtype)
        for numbers, stride in zip(queues, self.strides, strict=True):
            groups += numbers.astype(self.dtype) * self.dtype.type(stride)
        return groups

    def of_one(self, group: int) -> tuple[int, list[int]]:
        """Return the number of the members' state, and of each queue's, for one state of the group."""
        above, members = divmod(group, self.members)
        found = []
        for _ in range(self.queues):
            above, number = divmod(above, self.rows)
            found.append(number)
        return members, found[::-1]
