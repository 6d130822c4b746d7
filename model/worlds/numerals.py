"""Strings of digits by number, counted upwards: all of them, or all but a few."""

from collections.abc import Sequence

Digits = tuple[int, ...]


def numeral(number: int, radices: Sequence[int]) -> Digits:
    """The digits of the number; the last one changes fastest."""
    digits = []
    for radix in reversed(radices):
        number, digit = divmod(number, radix)
        digits.append(digit)
    return tuple(digits[::-1])


def alike(digit: int, radix: int, length: int) -> int:
    """The number of the string that repeats one digit."""
    return sum(digit * radix**place for place in range(length))


def skipping(number: int, left_out: Sequence[int]) -> int:
    """The number among all strings of the string with that number among those that are not left out.

    ``left_out`` are numbers among all strings, ascending.
    """
    for missing in left_out:
        if number >= missing:
            number += 1
    return number
