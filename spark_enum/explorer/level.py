"""What is known of all states that are so many moves away from the first one."""

from dataclasses import dataclass, field

import numpy as np

__all__ = ["Level"]

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
