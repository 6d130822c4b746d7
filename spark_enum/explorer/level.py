"""Totals of all states at one distance from the initial state, and of several such levels."""

from dataclasses import dataclass, field

import numpy as np

__all__ = ["Level", "Together"]

MODULUS = 1 << 64


@dataclass
class Level:
    """Totals of one level."""

    number: int
    states: int = 0
    digest: int = 0
    """Digest of the states (``keys.digest``)."""
    wrong: dict[str, int] = field(default_factory=dict)
    """By name of a target predicate (watch) that holds in the level, the least such state."""
    often: dict[str, int] = field(default_factory=dict)
    """By the same names, the number of such states."""
    counts: np.ndarray | None = None
    """By move, the number of states of the previous level in which it is possible; None if not counted."""

    def adds(self, other: "Level") -> None:
        """Add another part of the level."""
        self.states += other.states
        self.digest = (self.digest + other.digest) % MODULUS
        for name, key in other.wrong.items():
            self.wrong[name] = min(key, self.wrong.get(name, key))
            self.often[name] = self.often.get(name, 0) + other.often[name]
        if other.counts is not None:
            self.counts = other.counts if self.counts is None else self.counts + other.counts


class Together:
    """Totals of consecutive levels from the first, for a group with ``moves`` moves."""

    def __init__(self, moves: int) -> None:
        self.by_level: list[int] = []
        """Number of states by level; an empty level is left out."""
        self.digest = 0
        self.counts = np.zeros(moves, dtype=np.int64)
        """By move, the number of states where it is possible."""
        self.first: dict[str, tuple[int, int]] = {}
        """By name of a target predicate (watch), the first level in which it holds, and its least state."""
        self.often: dict[str, int] = {}
        """By the same names, the number of states where it holds."""

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
