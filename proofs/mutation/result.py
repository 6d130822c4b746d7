"""Results of the mutation tests of an obligation."""

from dataclasses import dataclass
from enum import StrEnum

from rebalance_proofs.proofs.question import Question

__all__ = ["Bite", "MutationTest"]


class Bite(StrEnum):
    """How an obligation can fail."""

    TEETH = "TEETH"
    """A mutant breaks it."""
    WEAK = "WEAK"
    """It fails for some encoding, but no mutant at hand breaks it."""
    STRUCTURAL = "STRUCTURAL"
    """It holds for any functions in the place of the encoding's parts."""
    LEMMA = "LEMMA"
    """It uses no part of the encoding."""
    NONE = "NONE"
    """Nothing was found that it notices."""


@dataclass(frozen=True)
class MutationTest:
    """Evidence that an obligation is not trivially true."""

    bite: Bite
    noticed: str
    """Name of the mutant that breaks it; empty if none does."""
    reason: str
    """Why it is exempted although no mutant breaks it; empty if it is not exempted."""
    free: Question
    """The question whether it can fail for unknown functions in place of the encoding's parts.

    For a lemma, and for an obligation that cannot fail with its premises, it is asked without them.
    """
    broken: Question | None
    """The question about the mutant that breaks it, with a model that was evaluated; None if none does."""

    @property
    def shown(self) -> bool:
        """Whether a mutant breaks it, or it is exempted."""
        return self.bite is Bite.TEETH or (self.bite is not Bite.NONE and bool(self.reason))

    @property
    def missing(self) -> str:
        """Why that is not shown, to follow the obligation's name."""
        if self.bite is Bite.NONE:
            return "it could not be shown that it notices anything"
        return f"no wrong encoding breaks it, and it is not among those of which that is known ({self.bite})"

    @property
    def questions(self) -> tuple[Question, ...]:
        """All questions, whatever answers them."""
        return (self.free, *([self.broken] if self.broken else ()))
