"""Worlds: the assumptions about groups, or about a client's rounds, under which a claim is made."""

from dataclasses import dataclass, field
from typing import ClassVar, Protocol


class World(Protocol):
    """The interface of every world; all else only its own kind uses (``proofs.kind``)."""

    kind: ClassVar[str]
    """The name of the kind of claims made in this world."""

    @property
    def name(self) -> str:
        """The part of claim ids that names the world."""

    @property
    def sentence(self) -> str:
        """What holds in the world."""

    @property
    def otherwise(self) -> str:
        """What the dropped premise lets happen, to follow "even if"; empty if no premise is dropped."""

    @property
    def even_if(self) -> str:
        """What it lets happen that is not usual, to follow "even if" in sentences of its claims; empty if nothing."""

    @property
    def without(self) -> str:
        """What the dropped premise lets happen, as a sentence; only asked of worlds that drop a premise."""

    @property
    def dropped(self) -> bool:
        """Whether the world drops a premise."""

    @property
    def subjects(self) -> int:
        """The number of strategies or clients that a claim in this world is about."""


@dataclass(frozen=True)
class Premised:
    """A world of runs in which all premises hold, or all but one, or others take their place.

    ``otherwise`` is what it lets happen because a premise is dropped, or though none is.
    """

    name: str
    sentence: str
    otherwise: str = ""
    dropped: bool = True
    when: str = field(default="", kw_only=True)
    """Those of its premises that sentences of its claims name, as they end: ``, if nobody resumes a consumer``."""
    subjects: ClassVar[int] = 1
    kind: ClassVar[str]

    @property
    def even_if(self) -> str:
        """What it lets happen that is not usual; empty if nothing."""
        return self.otherwise

    @property
    def without(self) -> str:
        """What the dropped premise lets happen, as a sentence; empty if ``otherwise`` is."""
        return f"Without it {self.otherwise}." if self.otherwise else ""
