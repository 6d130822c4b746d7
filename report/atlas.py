"""What there is, in small: a page of a kind's own that is no claim, a strategy's allocations of few queues."""

from dataclasses import dataclass
from functools import cached_property

__all__ = ["LEVELS", "NOBODY", "Atlas", "Heat"]

LEVELS = 6
"""Shades of a map: 0 for nothing, then five from little to much."""
NOBODY = "-"


@dataclass(frozen=True)
class Heat:
    """A number for so many queues and consumers."""

    title: str
    rows: tuple[tuple[int, ...], ...]
    """Consumers from 1 on; in a row queues from 1 on."""

    @cached_property
    def most(self) -> int:
        """The largest number."""
        return max(map(max, self.rows))

    def level(self, number: int) -> int:
        """Its shade, by what part it is of the largest."""
        return 0 if not number else max(1, -(-number * (LEVELS - 1) // self.most))

    @property
    def said(self) -> str:
        """In a sentence, for whoever sees no map."""
        return f"nowhere more than {self.most}" if self.most else "0 everywhere"


@dataclass(frozen=True)
class Atlas:
    """One or several functions that allocate alike."""

    title: str
    sentence: str
    strategies: tuple[str, ...]
    """By the names that users set."""
    queues: int
    consumers: int
    heats: tuple[Heat, ...]
    packed: tuple[tuple[str, ...], ...]
    """Consumers from 1 on, in a row queues from 1 on: queue by queue its owner, a digit in base 36, or ``NOBODY``."""
