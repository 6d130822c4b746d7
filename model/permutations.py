"""Orders of things by number: the permutations of 0 .. n-1, counted from 0 in lexicographic order.

That is the order of ``itertools.permutations``, in which going to the one of a number takes as many steps as the number
says, up to n!; here it is arithmetic.
"""

from collections.abc import Sequence
from math import factorial

__all__ = ["order", "order_number"]


def order(n: int, number: int) -> tuple[int, ...]:
    """The places 0 .. n-1 in the order of that number; raises ``ValueError`` when there is none of that number."""
    if not 0 <= number < factorial(n):
        raise ValueError(f"{n} things have no order number {number:#x}")
    digits = []
    for radix in range(1, n + 1):
        number, digit = divmod(number, radix)
        digits.append(digit)
    left = list(range(n))
    return tuple(left.pop(digit) for digit in reversed(digits))


def order_number(order: Sequence[int]) -> int:
    """The number of an order of 0 .. n-1; the inverse of ``order``."""
    left = sorted(order)
    number = 0
    for place in order:
        digit = left.index(place)
        number = number * len(left) + digit
        left.pop(digit)
    return number
