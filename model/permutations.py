"""The permutations of 0 .. n-1, indexed from 0 in lexicographic order.

``itertools.permutations`` has the same order, but reaches permutation k only after k others, up to n!. Here permutation
k is computed directly from k.
"""

from collections.abc import Sequence
from math import factorial


def order(n: int, number: int) -> tuple[int, ...]:
    """Return the permutation of 0 .. n-1 with this index.

    Raises ``ValueError`` if the index is out of range.
    """
    if not 0 <= number < factorial(n):
        raise ValueError(f"no permutation of {n} elements has the index {number:#x}")
    digits = []
    for radix in range(1, n + 1):
        number, digit = divmod(number, radix)
        digits.append(digit)
    left = list(range(n))
    return tuple(left.pop(digit) for digit in reversed(digits))


def order_number(order: Sequence[int]) -> int:
    """Return the index of a permutation of 0 .. n-1; the inverse of ``order``."""
    left = sorted(order)
    number = 0
    for place in order:
        digit = left.index(place)
        number = number * len(left) + digit
        left.pop(digit)
    return number
