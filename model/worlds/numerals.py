"""Digit strings of mixed radix by index, in ascending order.

Either all strings are counted, or all except a few.
"""

from collections.abc import Sequence

Digits = tuple[int, ...]


def numeral(number: int, radices: Sequence[int]) -> Digits:
    """Return the digits of a number in a mixed-radix system; the last digit changes fastest."""
    digits = []
    for radix in reversed(radices):
        number, digit = divmod(number, radix)
        digits.append(digit)
    return tuple(digits[::-1])


def alike(digit: int, radix: int, length: int) -> int:
    """Return the index of the digit string that repeats ``digit`` in all ``length`` places."""
    return sum(digit * radix**place for place in range(length))


def skipping(number: int, left_out: Sequence[int]) -> int:
    """Map the index of an allowed string to its index among all strings.

    ``left_out`` are the ascending indexes of the excluded strings.
    """
    for missing in left_out:
        if number >= missing:
            number += 1
    return number
