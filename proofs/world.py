"""Worlds: the assumptions of a claim about a group, or about a client's rebalances."""

from typing import ClassVar, Protocol


class World(Protocol):
    """The interface of every set of assumptions that a claim can make ("world").

    Classes add what their kind of claims needs (``proofs.kinds``).
    """

    kind: ClassVar[str]
    """The name of the kind of claims that use these assumptions."""

    @property
    def name(self) -> str:
        """Return the part of claim ids that names the assumptions."""

    @property
    def assumes(self) -> tuple[str, ...]:
        """Return the assumptions, as noun phrases, without a dropped one."""

    @property
    def defines(self) -> tuple[str, ...]:
        """Return definitions of words in claims with these assumptions."""

    @property
    def sentence(self) -> str:
        """Return the assumptions as a sentence; if one is dropped, only the dropped one."""

    @property
    def otherwise(self) -> str:
        """Return the effect of the dropped assumption, to follow "even if"; empty if none is."""

    @property
    def even_if(self) -> str:
        """Return the unusual event that is allowed, to follow "even if" in claim sentences.

        Empty if there is none.
        """

    @property
    def without(self) -> str:
        """Return the effect of the dropped assumption, as a sentence.

        Call it only if an assumption is dropped.
        """

    @property
    def dropped(self) -> bool:
        """Return whether an assumption is dropped."""

    @property
    def subjects(self) -> int:
        """Return the number of strategies or clients that a claim with these assumptions is about."""
