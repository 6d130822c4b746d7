"""What is known of all states that are so many moves away from the first one, and of several such levels."""

from dataclasses import dataclass, field

import numpy as np

__all__ = ["Level", "Together"]

MODULUS = 1 << 64


@dataclass
class Level:
    """What a level comes to."""

    number: int
    states: int = 0
    digest: int = 0
    """Of the states (``keys.digest``)."""
    wrong: dict[str, int] = field(default_factory=dict)
    """By watch, the least state of the level in which it is so."""
    often: dict[str, int] = field(default_factory=dict)
    """By the same watches, in how many."""
    counts: np.ndarray | None = None
    """By move, how often it can happen in the level before."""

    def adds(self, other: "Level") -> None:
        """Another part of it."""
        self.states += other.states
        self.digest = (self.digest + other.digest) % MODULUS
        for name, key in other.wrong.items():
            self.wrong[name] = min(key, self.wrong.get(name, key))
            self.often[name] = self.often.get(name, 0) + other.often[name]
        if other.counts is not None:
            self.counts = other.counts if self.counts is None else self.counts + other.counts


class Together:
    """What levels come to, one after the other from the first, of a group with so many moves."""

    def __init__(self, moves: int) -> None:
        self.by_level: list[int] = []
        """States; a level that has none is not told."""
        self.digest = 0
        self.counts = np.zeros(moves, dtype=np.int64)
        """By move, how often it can happen."""
        self.first: dict[str, tuple[int, int]] = {}
        """By watch, in which level it is so first, and the least of its states in which it is."""
        self.often: dict[str, int] = {}
        """By the same watches, in how many states."""

    def adds(self, level: Level) -> None:
        """The next one."""
        if level.states:
            self.by_level.append(level.states)
        self.digest = (self.digest + level.digest) % MODULUS
        if level.counts is not None:
            self.counts += level.counts
        for name, state in level.wrong.items():
            self.first.setdefault(name, (level.number, state))
            self.often[name] = self.often.get(name, 0) + level.often[name]
