"""Evidence that a run itself works: its checks notice wrong input, and all required work was done."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SelfTest:
    """A self-test of a run: one of its comparisons gets wrong input, and must notice it."""

    name: str
    """The comparison and its wrong input: ``positions: who owns a queue``."""
    noticed: bool
    """True if the comparison reported the wrong input, and reported no other problem."""
    said: str
    """What the comparison reported about the wrong input; or why the self-test failed."""


@dataclass(frozen=True)
class Required:
    """The required amount of one kind of work, computed independently of it, and the amount done."""

    name: str
    """The kind of work: ``avg join: positions``."""
    expected: int | str
    """The required amount, computed from the options, the ledger and closed forms.

    May be a text, such as a digest.
    """
    found: int | str
    """The amount of work that the run did."""

    @property
    def ok(self) -> bool:
        """True if both amounts are equal."""
        return self.found == self.expected
