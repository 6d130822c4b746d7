"""A group as one number, of its members' and each queue's: digits of a numeral whose lowest one says the members."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rebalance_proofs.spark_enum.explorer.keys import Parted, held_in

__all__ = ["Numbering"]

NEAR = 3
"""Bits, besides those of the members: of the groups whose queues are alike, one in so many powers of two is cut off
from the others where numbers are told from each other by what is above."""


@dataclass(frozen=True)
class Numbering:
    """Groups in the order of their queues' numbers, the first queue's first, and then of their members'.

    No number is left out: groups are told from each other in as few bits as can be.
    """

    members: int
    """States of the members."""
    rows: int
    """States of a queue."""
    queues: int

    @property
    def numbers(self) -> int:
        """Of groups, those that cannot be too."""
        numbers: int = self.members * self.rows**self.queues
        return numbers

    @property
    def bits(self) -> int:
        return max(1, (self.numbers - 1).bit_length())

    @cached_property
    def dtype(self) -> np.dtype:
        """Of numbers of groups."""
        return held_in(self.bits)

    @cached_property
    def strides(self) -> list[int]:
        """By queue, by how much a group's number is greater where the queue's is by one."""
        return [self.members * self.rows**below for below in reversed(range(self.queues))]

    def order(self, parts: int) -> Parted:
        """In so many parts, or in fewer where there are no more numbers."""
        return Parted(self.bits, (self.members - 1).bit_length() + NEAR, min(parts, 1 << self.bits))

    @property
    def as_they_are(self) -> Parted:
        """In one part, in which the keys are the groups' numbers."""
        return Parted(self.bits, self.bits, 1)

    def who(self, groups: np.ndarray) -> np.ndarray:
        """The members' numbers."""
        # the remainder is what NumPy takes much longer for
        found: np.ndarray = groups - groups // self.dtype.type(self.members) * self.dtype.type(self.members)
        return found

    def of_queues(self, groups: np.ndarray) -> list[np.ndarray]:
        """Each queue's numbers."""
        found, above = [], groups // self.dtype.type(self.members)
        for _ in range(self.queues):
            groups, above = above, above // self.dtype.type(self.rows)
            found.append(groups - above * self.dtype.type(self.rows))
        return found[::-1]

    def whole(self, members: np.ndarray, queues: Sequence[np.ndarray]) -> np.ndarray:
        """The groups with these numbers."""
        groups = members.astype(self.dtype)
        for numbers, stride in zip(queues, self.strides, strict=True):
            groups += numbers.astype(self.dtype) * self.dtype.type(stride)
        return groups

    def of_one(self, group: int) -> tuple[int, list[int]]:
        """The members' number, and each queue's."""
        above, members = divmod(group, self.members)
        found = []
        for _ in range(self.queues):
            above, number = divmod(above, self.rows)
            found.append(number)
        return members, found[::-1]
