"""What there can be: the groups, or a client's rounds, of which a claim speaks."""

from dataclasses import dataclass
from typing import ClassVar, Protocol


class World(Protocol):
    """What every kind of world has; the rest only its own kind knows (``proofs.kind``)."""

    kind: ClassVar[str]
    """The name of the kind of claims that are made in it."""

    @property
    def name(self) -> str:
        """Used in claim ids."""

    @property
    def sentence(self) -> str:
        """What holds in it."""

    @property
    def otherwise(self) -> str:
        """What is the case because a premise does not hold, to follow "even if"; empty when no premise is dropped."""

    @property
    def without(self) -> str:
        """What there is without the premise, as a sentence; asked of worlds whose premise is dropped alone."""

    @property
    def dropped(self) -> bool:
        """Whether it is one without a premise."""

    @property
    def subjects(self) -> int:
        """How many subjects there are in it."""


@dataclass(frozen=True)
class Premised:
    """A world of runs: all premises hold, or all but one; or other ones are asked for."""

    name: str
    sentence: str
    otherwise: str = ""
    dropped: bool = True
    subjects: ClassVar[int] = 1

    @property
    def without(self) -> str:
        """What there is without the premise, as a sentence."""
        return f"Without it {self.otherwise}." if self.otherwise else ""
