"""Evidence that a run itself works: its comparison code notices wrong input, and all required work was done."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SelfTest:
    """A self-test: one comparison of the run, with wrong input that it must notice."""

    name: str
    """The comparison and its wrong input: ``positions: who owns a queue``."""
    noticed: bool
    """True if the comparison reported the wrong input, and nothing else."""
    said: str
    """The sentence of the comparison about the wrong input; or the reason why the self-test failed."""


@dataclass(frozen=True)
class Required:
    """The required amount of one kind of work, computed independently of the work, and the amount done."""

    name: str
    """The kind of work: ``avg join: positions``."""
    expected: int | str
    """The required amount, computed from the options, the ledger and closed forms; may be a text, such as a digest."""
    found: int | str
    """The amount in the results of the run."""

    @property
    def ok(self) -> bool:
        """True if both amounts are equal."""
        return self.found == self.expected
