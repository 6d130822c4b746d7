"""Weak orders: all ways in which numbers can be smaller, equal or larger than each other.

A weak order of m things is given by m digits. Things are added one by one to an ordered list of blocks of equals; when
there are k blocks, digit 2 * b puts the next thing into a block of its own in front of block b (behind the last one for
b = k), digit 2 * b + 1 into block b.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import comb, factorial

Digits = tuple[int, ...]


def radices(things: int) -> Digits:
    """The radices of the digits: digit j is below 2 * j + 1, the most that j blocks allow."""
    return tuple(2 * number + 1 for number in range(things))


def admits(digits: Sequence[int]) -> bool:
    """Whether every digit names a place among the blocks that there are."""
    most = 0  # twice the number of blocks so far
    for digit in digits:
        if digit > most:
            return False
        if digit % 2 == 0:
            most += 2
    return True


@cache
def count(things: int) -> int:
    """How many weak orders there are: the Fubini (ordered Bell) number."""
    if things == 0:
        return 1
    return sum(comb(things, first) * count(things - first) for first in range(1, things + 1))


@cache
def count_apart(apart: int, others: int) -> int:
    """How many there are in which the first so many things are all different from each other."""
    return factorial(apart) * behind(apart, others)


@cache
def behind(blocks: int, left: int) -> int:
    """How many ways there are to add so many things to ordered blocks: into each, or in front of or behind it."""
    return blocks * behind(blocks, left - 1) + (blocks + 1) * behind(blocks + 1, left - 1) if left else 1


def nth(things: int, number: int, apart: int = 0) -> Digits:
    """The digits of the weak order with that number, in ascending order.

    Only orders in which the first ``apart`` things are all different from each other are counted.
    """
    following = [behind(apart, things - apart)]
    for blocks in range(apart, 1, -1):
        following.append(following[-1] * blocks)
    found = []
    for ways in reversed(following[:apart]):
        place, number = divmod(number, ways)
        found.append(2 * place)
    blocks = apart
    for left in range(things - apart - 1, -1, -1):
        alone, inside = behind(blocks + 1, left), behind(blocks, left)
        place, number = divmod(number, alone + inside)
        joins = number >= alone
        if joins:
            number -= alone
        else:
            blocks += 1
        found.append(2 * place + joins)
    return tuple(found)


@lru_cache(maxsize=1024)
def ranks(digits: Digits) -> tuple[int, ...]:
    """The block of each thing, counted from 0."""
    found: list[int] = []
    for digit in digits:
        block, joins = divmod(digit, 2)
        if not joins:
            found = [rank + (rank >= block) for rank in found]
        found.append(block)
    return tuple(found)


def blocks(numbers: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """The things with these numbers, ascending; things with the same number are one block."""
    found: dict[int, list[str]] = {}
    for thing, number in numbers.items():
        found.setdefault(number, []).append(thing)
    return tuple(tuple(found[number]) for number in sorted(found))


def digits_of(numbers: Sequence[int]) -> Digits:
    """The digits of the weak order of any numbers; the inverse of ``ranks``."""
    found = []
    for place, number in enumerate(numbers):
        before = sorted(set(numbers[:place]))
        block = sum(other < number for other in before)
        found.append(2 * block + (number in before))
    return tuple(found)
