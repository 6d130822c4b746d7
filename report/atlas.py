"""Overview tables of strategies on the HTML page: all small allocations, and heat maps of costs."""

from dataclasses import dataclass
from functools import cached_property

LEVELS = 6
"""Number of shades in a heat map: shade 0 is the value 0, the others go from small to large values."""
NOBODY = "-"


@dataclass(frozen=True)
class Heat:
    """A heat map with one value for each number of consumers and queues."""

    title: str
    rows: tuple[tuple[int, ...], ...]
    """Values: one row for each number of consumers, with a value for each number of queues, both from 1."""

    @cached_property
    def most(self) -> int:
        """The largest value in the map."""
        return max(map(max, self.rows))

    def level(self, number: int) -> int:
        """Return the shade of a value, by its ratio to the largest value."""
        return 0 if not number else max(1, -(-number * (LEVELS - 1) // self.most))

    @property
    def said(self) -> str:
        """A short text alternative to the map, for readers who cannot see it."""
        return f"nowhere more than {self.most}" if self.most else "0 everywhere"


@dataclass(frozen=True)
class Atlas:
    """The overview tables of a strategy, or of several strategies with the same allocations."""

    title: str
    sentence: str
    strategies: tuple[str, ...]
    """The strategies' names, as users configure them."""
    queues: int
    consumers: int
    heats: tuple[Heat, ...]
    packed: tuple[tuple[str, ...], ...]
    """Allocations: a row for each number of consumers, a text for each number of queues, both from 1.

    A text has one character for each queue: its owner as a digit in base 36, or ``NOBODY`` for no owner.
    """
