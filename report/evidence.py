"""Evidence that a run itself works: its comparers notice planted faults, and all required work was done."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SelfTest:
    """Self-test of one comparer, which was given something wrong."""

    name: str
    """The comparer and the planted fault: ``positions: who owns a queue``."""
    noticed: bool
    """Whether it reported the fault, and reported nothing where there is no fault."""
    said: str
    """The comparer's sentence about the fault; or why the self-test failed."""


@dataclass(frozen=True)
class Required:
    """Required amount of one kind of work, computed independently of the work, and the amount found."""

    name: str
    """What is counted: ``avg join: positions``."""
    expected: int | str
    """From the options, the ledger and closed forms; a text where it is not a number."""
    found: int | str
    """From the results."""

    @property
    def ok(self) -> bool:
        """Whether the amounts are equal."""
        return self.found == self.expected
