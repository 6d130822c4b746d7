"""Worlds: the assumptions about groups, or about a client's rounds, under which a claim is made."""

from collections.abc import Iterable
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
    def assumes(self) -> tuple[str, ...]:
        """The assumptions made in the world, as noun phrases; a dropped one is not among them."""

    @property
    def sentence(self) -> str:
        """The assumptions as a sentence; in a world that drops one, that one."""

    @property
    def otherwise(self) -> str:
        """The effect of the dropped assumption, to follow "even if"; empty if none is dropped."""

    @property
    def even_if(self) -> str:
        """The unusual event that the world allows, to follow "even if" in claim sentences; empty if there is none."""

    @property
    def without(self) -> str:
        """The effect of the dropped assumption, as a sentence; only read in worlds that drop one."""

    @property
    def dropped(self) -> bool:
        """Whether the world drops an assumption."""

    @property
    def subjects(self) -> int:
        """The number of strategies or clients that a claim in this world is about."""


def listed(phrases: Iterable[str]) -> str:
    """Noun phrases as one sentence: ``No broker restart; no connection loss.``"""
    joined = "; ".join(phrases)
    return f"{joined[:1].upper()}{joined[1:]}." if joined else ""


@dataclass(frozen=True)
class Premised:
    """A world of runs in which all assumptions hold, or all but one, or others take their place."""

    name: str
    premises: tuple[str, ...]
    """The assumptions, as noun phrases; with the one that is dropped, if one is."""
    otherwise: str = ""
    """The unusual event that the world allows, because an assumption is dropped or although none is."""
    drops: str = field(default="", kw_only=True)
    """The dropped assumption; empty if all hold."""
    when: str = field(default="", kw_only=True)
    """A condition at the end of claim sentences that tells these claims from others: ``, if nothing is committed``."""
    subjects: ClassVar[int] = 1
    kind: ClassVar[str]

    @property
    def dropped(self) -> bool:
        """Whether an assumption is dropped."""
        return bool(self.drops)

    @property
    def assumes(self) -> tuple[str, ...]:
        """The assumptions, without the dropped one."""
        return tuple(one for one in self.premises if one != self.drops)

    @property
    def sentence(self) -> str:
        """The assumptions as a sentence; if one is dropped, that one."""
        return listed((self.drops,) if self.drops else self.premises)

    @property
    def even_if(self) -> str:
        """The unusual event that the world allows; empty if there is none."""
        return self.otherwise

    @property
    def without(self) -> str:
        """The effect of the dropped assumption, as a sentence; empty if ``otherwise`` is."""
        return f"Without it, {self.otherwise}." if self.otherwise else ""
