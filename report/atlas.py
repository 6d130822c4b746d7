"""Atlas page of a kind: overview tables beside the claims, such as a strategy's allocations of few queues."""

from dataclasses import dataclass
from functools import cached_property

__all__ = ["LEVELS", "NOBODY", "Atlas", "Heat"]

LEVELS = 6
"""Number of shades in a map: shade 0 is zero, the other five go from small to large."""
NOBODY = "-"


@dataclass(frozen=True)
class Heat:
    """A map with one number for each count of consumers and queues."""

    title: str
    rows: tuple[tuple[int, ...], ...]
    """One row for each number of consumers, from 1; one entry for each number of queues, from 1."""

    @cached_property
    def most(self) -> int:
        """The largest number in the map."""
        return max(map(max, self.rows))

    def level(self, number: int) -> int:
        """Shade of ``number``, by its ratio to the largest one."""
        return 0 if not number else max(1, -(-number * (LEVELS - 1) // self.most))

    @property
    def said(self) -> str:
        """Text alternative to the map, in a few words."""
        return f"nowhere more than {self.most}" if self.most else "0 everywhere"


@dataclass(frozen=True)
class Atlas:
    """One or several strategies with the same allocations."""

    title: str
    sentence: str
    strategies: tuple[str, ...]
    """Names as users configure them."""
    queues: int
    consumers: int
    heats: tuple[Heat, ...]
    packed: tuple[tuple[str, ...], ...]
    """One row for each number of consumers, one text for each number of queues, both from 1.

    A text has one letter for each queue: its owner as a digit in base 36, or ``NOBODY``.
    """
