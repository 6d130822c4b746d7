"""Results of the mutation tests of an obligation."""

from dataclasses import dataclass
from enum import StrEnum

from rebalance_proofs.proofs.question import Question


class Bite(StrEnum):
    """The results of mutation tests: which wrong encodings break an obligation."""

    TEETH = "TEETH"
    """A mutant (a known wrong encoding) breaks the obligation."""
    WEAK = "WEAK"
    """The obligation fails for some encoding, but no known mutant breaks it."""
    STRUCTURAL = "STRUCTURAL"
    """The obligation holds for any functions in place of the encoding's parts."""
    LEMMA = "LEMMA"
    """The obligation uses no part of the encoding."""
    NONE = "NONE"
    """No encoding was found that breaks the obligation, and no reason is known."""


@dataclass(frozen=True)
class MutationTest:
    """Evidence that an obligation is not trivially true."""

    bite: Bite
    noticed: str
    """Name of the mutant that breaks the obligation; empty if none does."""
    reason: str
    """Why the obligation is exempted although no mutant breaks it; empty if it is not exempted."""
    free: Question
    """The query whether the obligation can fail if all parts are unknown functions.

    For a lemma, and for an obligation that cannot fail under its assumptions, the query leaves the assumptions out.
    """
    broken: Question | None
    """The query that shows, by an evaluated model, that the mutant breaks the obligation.

    None if no mutant does.
    """

    @property
    def shown(self) -> bool:
        """Return whether a mutant breaks the obligation, or the obligation is exempted."""
        return self.bite is Bite.TEETH or (self.bite is not Bite.NONE and bool(self.reason))

    @property
    def missing(self) -> str:
        """Return why the mutation tests failed, in words that follow the obligation's name.

        Empty if ``shown``.
        """
        if self.bite is Bite.NONE:
            return "no encoding was found that breaks it"
        return f"no mutant breaks it, and it is not listed as exempt ({self.bite})"

    @property
    def questions(self) -> tuple[Question, ...]:
        """Return all queries of the tests, whether solvers or recorded models answered them."""
        return (self.free, *([self.broken] if self.broken else ()))
