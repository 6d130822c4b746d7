"""Totals of a level (the states at one distance from the initial state), and of several."""

from dataclasses import dataclass, field

import numpy as np

MODULUS = 1 << 64


@dataclass
class Level:
    """Totals of one level: the states that need the same number of moves."""

    number: int
    states: int = 0
    digest: int = 0
    """Digest of the level's states (``keys.digest``)."""
    wrong: dict[str, int] = field(default_factory=dict)
    """For each bad state (watch) that the level contains, by name: the least state of that kind."""
    often: dict[str, int] = field(default_factory=dict)
    """For each bad state (watch), by name: the number of states of that kind in the level."""
    counts: np.ndarray | None = None
    """By move, in how many states of the previous level it is possible; None if not counted."""

    def adds(self, other: "Level") -> None:
        """Add the totals of another part of the same level."""
        self.states += other.states
        self.digest = (self.digest + other.digest) % MODULUS
        for name, key in other.wrong.items():
            self.wrong[name] = min(key, self.wrong.get(name, key))
            self.often[name] = self.often.get(name, 0) + other.often[name]
        if other.counts is not None:
            self.counts = other.counts if self.counts is None else self.counts + other.counts


class Together:
    """Totals of all levels from the first one on, for a group with ``moves`` moves."""

    def __init__(self, moves: int) -> None:
        self.by_level: list[int] = []
        """Number of states of each level; an empty level is left out."""
        self.digest = 0
        self.counts = np.zeros(moves, dtype=np.int64)
        """By move, the number of states in which it is possible."""
        self.first: dict[str, tuple[int, int]] = {}
        """For each bad state (watch), by name: the first level with it, and the least such state."""
        self.often: dict[str, int] = {}
        """For each bad state (watch), by name: the number of such states."""

    def adds(self, level: Level) -> None:
        """Add the next level."""
        if level.states:
            self.by_level.append(level.states)
        self.digest = (self.digest + level.digest) % MODULUS
        if level.counts is not None:
            self.counts += level.counts
        for name, state in level.wrong.items():
            self.first.setdefault(name, (level.number, state))
            self.often[name] = self.often.get(name, 0) + level.often[name]
