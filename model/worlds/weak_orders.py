"""Weak orders: all possible results of comparing numbers with each other.

Two numbers can be smaller, equal or larger. A weak order of m items is encoded as m digits. Items are added one by one
to an ordered list of blocks of equal items. With k blocks, digit 2 * b inserts the next item as a new block before
block b (after the last block for b = k), and digit 2 * b + 1 adds it to block b.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import comb, factorial

Digits = tuple[int, ...]


def radices(things: int) -> Digits:
    """Return the radices of the digits for a number of items.

    Digit j is below 2 * j + 1, the maximum with j blocks.
    """
    return tuple(2 * number + 1 for number in range(things))


def admits(digits: Sequence[int]) -> bool:
    """Return whether each digit refers to an existing position among the blocks."""
    most = 0  # twice the number of blocks so far
    for digit in digits:
        if digit > most:
            return False
        if digit % 2 == 0:
            most += 2
    return True


@cache
def count(things: int) -> int:
    """Return the number of weak orders: the Fubini (ordered Bell) number."""
    if things == 0:
        return 1
    return sum(comb(things, first) * count(things - first) for first in range(1, things + 1))


@cache
def count_apart(apart: int, others: int) -> int:
    """Return the number of weak orders in which the first ``apart`` items are all different."""
    return factorial(apart) * behind(apart, others)


@cache
def behind(blocks: int, left: int) -> int:
    """Return the number of ways to add ``left`` items to an ordered list of ``blocks`` blocks.

    Each item goes to a block, or before or after one.
    """
    return blocks * behind(blocks, left - 1) + (blocks + 1) * behind(blocks + 1, left - 1) if left else 1


def nth(things: int, number: int, apart: int = 0) -> Digits:
    """Return the digits of the weak order with that index, in ascending order.

    Only orders in which the first ``apart`` items are all different are counted.
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
    """Return the block index of each item, counted from 0."""
    found: list[int] = []
    for digit in digits:
        block, joins = divmod(digit, 2)
        if not joins:
            found = [rank + (rank >= block) for rank in found]
        found.append(block)
    return tuple(found)


def blocks(numbers: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Return the items by ascending number; items with the same number are one block."""
    found: dict[int, list[str]] = {}
    for thing, number in numbers.items():
        found.setdefault(number, []).append(thing)
    return tuple(tuple(found[number]) for number in sorted(found))


def digits_of(numbers: Sequence[int]) -> Digits:
    """Return the digits of the weak order of any numbers; the inverse of ``ranks``."""
    found = []
    for place, number in enumerate(numbers):
        before = sorted(set(numbers[:place]))
        block = sum(other < number for other in before)
        found.append(2 * block + (number in before))
    return tuple(found)
