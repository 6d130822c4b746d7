"""What an obligation was seen to notice."""

from dataclasses import dataclass
from enum import StrEnum

from rebalance_proofs.proofs.question import Question

__all__ = ["Bite", "Teeth"]


class Bite(StrEnum):
    """How an obligation could fail."""

    TEETH = "TEETH"
    """A wrong encoding breaks it."""
    WEAK = "WEAK"
    """Not every encoding meets it, and yet no wrong encoding at hand breaks it."""
    STRUCTURAL = "STRUCTURAL"
    """It holds for any functions in the place of the encoding's parts."""
    LEMMA = "LEMMA"
    """It speaks of no part of the encoding."""
    NONE = "NONE"
    """It notices nothing, or the solvers do not know what."""


@dataclass(frozen=True)
class Teeth:
    """What speaks for it that an obligation is not true by itself."""

    bite: Bite
    noticed: str
    """The wrong encoding that breaks it; empty when none does."""
    reason: str
    """Why it is pinned where no wrong encoding breaks it; empty when it is not pinned."""
    free: Question
    """Whether it can fail where nothing is known of the encoding; for a lemma, or where it cannot, without premises."""
    broken: Question | None
    """The wrong encoding that breaks it; the model was replayed."""

    @property
    def shown(self) -> bool:
        """A wrong encoding breaks it; or it is pinned as one of the others."""
        return self.bite is Bite.TEETH or (self.bite is not Bite.NONE and bool(self.reason))

    @property
    def missing(self) -> str:
        """Why it is not shown, to follow the obligation's name."""
        if self.bite is Bite.NONE:
            return "it could not be shown that it notices anything"
        return f"no wrong encoding breaks it, and it is not among those of which that is known ({self.bite})"

    @property
    def questions(self) -> tuple[Question, ...]:
        """Everything that was asked for it."""
        return (self.free, *([self.broken] if self.broken else ()))
