"""What a run says about itself: that its comparers notice what is wrong, and that the required work was done."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SelfTest:
    """One comparer of the run was given something wrong."""

    name: str
    """Which comparer, and what was wrong: ``positions: who owns a queue``."""
    noticed: bool
    """It called that wrong, and nothing wrong where nothing is."""
    said: str
    """Its sentence about what was wrong; or why this does not count as noticed."""


@dataclass(frozen=True)
class Required:
    """How much of one thing there has to be, reckoned apart from the work, and how much there is."""

    name: str
    """What is counted: ``avg join: positions``."""
    expected: int | str
    """By the options, the ledger and closed forms; a text where it is not a number."""
    found: int | str
    """In the results."""

    @property
    def ok(self) -> bool:
        """All of it is there, and no more."""
        return self.found == self.expected
