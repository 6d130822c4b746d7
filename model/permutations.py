"""The permutations of 0 .. n-1 by number, counted from 0 in lexicographic order.

``itertools.permutations`` has the same order, but reaches permutation k only after k others, up to n!; here k is
decoded by arithmetic.
"""

from collections.abc import Sequence
from math import factorial

__all__ = ["order", "order_number"]


def order(n: int, number: int) -> tuple[int, ...]:
    """The permutation of 0 .. n-1 with that number; raises ``ValueError`` when there is none."""
    if not 0 <= number < factorial(n):
        raise ValueError(f"{n} things have no order number {number:#x}")
    digits = []
    for radix in range(1, n + 1):
        number, digit = divmod(number, radix)
        digits.append(digit)
    left = list(range(n))
    return tuple(left.pop(digit) for digit in reversed(digits))


def order_number(order: Sequence[int]) -> int:
    """The number of a permutation of 0 .. n-1; the inverse of ``order``."""
    left = sorted(order)
    number = 0
    for place in order:
        digit = left.index(place)
        number = number * len(left) + digit
        left.pop(digit)
    return number
