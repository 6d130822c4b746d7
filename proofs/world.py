"""Worlds: the assumptions of a claim about a group, or about a client's rebalances."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Protocol


class World(Protocol):
    """The interface of every set of assumptions that a claim can make ("world").

    Classes add what their kind of claims needs (``proofs.kind``).
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


def listed(phrases: Iterable[str]) -> str:
    """Return noun phrases as one sentence: ``No broker restart; no connection loss.``"""
    joined = "; ".join(phrases)
    return f"{joined[:1].upper()}{joined[1:]}." if joined else ""


@dataclass(frozen=True)
class Premised:
    """Assumptions of claims about runs: all of a list, all but one, or others instead."""

    name: str
    premises: tuple[str, ...]
    """The assumptions, as noun phrases, including the dropped one."""
    otherwise: str = ""
    """The unusual event that is allowed, as a phrase after "even if"."""
    drops: str = field(default="", kw_only=True)
    """The dropped assumption; empty if all hold."""
    when: str = field(default="", kw_only=True)
    """A condition that ends claim sentences: ``, if nothing is committed``.

    It distinguishes claims that are otherwise equal.
    """
    definitions: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Phrases of ``premises`` and ``when`` that need a definition -> that definition."""
    subjects: ClassVar[int] = 1
    kind: ClassVar[str]

    @property
    def dropped(self) -> bool:
        """Return whether an assumption is dropped."""
        return bool(self.drops)

    @property
    def assumes(self) -> tuple[str, ...]:
        """Return the assumptions, without the dropped one."""
        return tuple(one for one in self.premises if one != self.drops)

    @property
    def defines(self) -> tuple[str, ...]:
        """Return definitions of words in the assumptions and in ``when``.

        The definitions for a dropped assumption are included.
        """
        return tuple(self.definitions[one] for one in (*self.premises, self.when) if one in self.definitions)

    @property
    def sentence(self) -> str:
        """Return the assumptions and definitions as a sentence.

        If an assumption is dropped, the sentence contains only that one.
        """
        return listed((self.drops,) if self.drops else (*self.premises, *self.defines))

    @property
    def even_if(self) -> str:
        """Return the unusual event that is allowed; empty if there is none."""
        return self.otherwise

    @property
    def without(self) -> str:
        """Return the effect of the dropped assumption, as a sentence.

        Empty if ``otherwise`` is.
        """
        return f"Without it, {self.otherwise}." if self.otherwise else ""
