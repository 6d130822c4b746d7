"""Numbers that are added up."""

from dataclasses import dataclass
from typing import Self


@dataclass
class Numbers:
    """A record of numbers; those that derive from it have the fields."""

    def add(self, other: Self) -> None:
        """Add another's numbers."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
