"""Numbering of a group's states by mixed-radix numerals of the queues' and members' numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rebalance_proofs.spark_enum.explorer.keys import Parted, held_in

__all__ = ["Numbering"]

NEAR = 3
"""Extra low bits that do not influence a state's part (``Parted``).

Groups whose queues have the same states differ in low bits only. With these bits, at most about one in 2**NEAR sets of
such groups is split between parts.
"""


@dataclass(frozen=True)
class Numbering:
    """Numbers of groups, ordered by their queues' numbers, the first queue's first, then by their members'.

    No number is left out, so that a group needs few bits.
    """

    members: int
    """Number of states of the members."""
    rows: int
    """Number of states of each queue."""
    queues: int

    @property
    def numbers(self) -> int:
        """Count of numbers, including those of unreachable groups."""
        numbers: int = self.members * self.rows**self.queues
        return numbers

    @property
    def bits(self) -> int:
        return max(1, (self.numbers - 1).bit_length())

    @cached_property
    def dtype(self) -> np.dtype:
        """Type of groups' numbers."""
        return held_in(self.bits)

    @cached_property
    def strides(self) -> list[int]:
        """By queue, the change of the group's number if the queue's number is greater by one."""
        return [self.members * self.rows**below for below in reversed(range(self.queues))]

    def order(self, parts: int) -> Parted:
        """Return the keys in ``parts`` parts, or in fewer if there are fewer numbers."""
        return Parted(self.bits, (self.members - 1).bit_length() + NEAR, min(parts, 1 << self.bits))

    @property
    def as_they_are(self) -> Parted:
        """Return a single part, in which the keys are the groups' numbers."""
        return Parted(self.bits, self.bits, 1)

    def who(self, groups: np.ndarray) -> np.ndarray:
        """Return the numbers of the members."""
        # NumPy is much slower with remainders
        found: np.ndarray = groups - groups // self.dtype.type(self.members) * self.dtype.type(self.members)
        return found

    def of_queues(self, groups: np.ndarray) -> list[np.ndarray]:
        """Return by queue the numbers of its states."""
        found, above = [], groups // self.dtype.type(self.members)
        for _ in range(self.queues):
            groups, above = above, above // self.dtype.type(self.rows)
            found.append(groups - above * self.dtype.type(self.rows))
        return found[::-1]

    def whole(self, members: np.ndarray, queues: Sequence[np.ndarray]) -> np.ndarray:
        """Return the groups with these numbers of members and queues."""
        groups = members.astype(self.dtype)
        for numbers, stride in zip(queues, self.strides, strict=True):
            groups += numbers.astype(self.dtype) * self.dtype.type(stride)
        return groups

    def of_one(self, group: int) -> tuple[int, list[int]]:
        """Return the members' number and each queue's, of one group."""
        above, members = divmod(group, self.members)
        found = []
        for _ in range(self.queues):
            above, number = divmod(above, self.rows)
            found.append(number)
        return members, found[::-1]
