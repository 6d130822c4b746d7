"""Worlds: the assumptions of a claim about groups, or about a client's rounds or runs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Protocol


class World(Protocol):
    """The interface of every world; only its own kind uses the rest (``proofs.kind``)."""

    kind: ClassVar[str]
    """The name of the kind of claims made in this world."""

    @property
    def name(self) -> str:
        """The part of claim ids that names the world."""

    @property
    def assumes(self) -> tuple[str, ...]:
        """The assumptions made in the world, as noun phrases; a dropped one is not among them."""

    @property
    def defines(self) -> tuple[str, ...]:
        """Definitions of words in claims about the world."""

    @property
    def sentence(self) -> str:
        """The assumptions as a sentence; if one is dropped, only that one."""

    @property
    def otherwise(self) -> str:
        """The effect of the dropped assumption, to follow "even if"; empty if none is dropped."""

    @property
    def even_if(self) -> str:
        """The unusual event that the world allows, to follow "even if" in claim sentences; empty if there is none."""

    @property
    def without(self) -> str:
        """The effect of the dropped assumption, as a sentence; used only in worlds that drop one."""

    @property
    def dropped(self) -> bool:
        """Whether the world drops an assumption."""

    @property
    def subjects(self) -> int:
        """The number of strategies or clients that a claim in this world is about."""


def listed(phrases: Iterable[str]) -> str:
    """Return noun phrases as one sentence: ``No broker restart; no connection loss.``"""
    joined = "; ".join(phrases)
    return f"{joined[:1].upper()}{joined[1:]}." if joined else ""


@dataclass(frozen=True)
class Premised:
    """A world of runs: all assumptions hold, all but one, or others instead."""

    name: str
    premises: tuple[str, ...]
    """The assumptions, as noun phrases, including the dropped one."""
    otherwise: str = ""
    """The unusual event that the world allows, with or without a dropped assumption."""
    drops: str = field(default="", kw_only=True)
    """The dropped assumption; empty if all hold."""
    when: str = field(default="", kw_only=True)
    """A condition at the end of claim sentences that distinguishes them: ``, if nothing is committed``."""
    definitions: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """``premises`` and ``when`` phrases that need a definition -> that definition."""
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
    def defines(self) -> tuple[str, ...]:
        """Definitions of words in the assumptions, the dropped one included, and in ``when``."""
        return tuple(self.definitions[one] for one in (*self.premises, self.when) if one in self.definitions)

    @property
    def sentence(self) -> str:
        """The assumptions and definitions as a sentence; if an assumption is dropped, only that one."""
        return listed((self.drops,) if self.drops else (*self.premises, *self.defines))

    @property
    def even_if(self) -> str:
        """The unusual event that the world allows; empty if there is none."""
        return self.otherwise

    @property
    def without(self) -> str:
        """The effect of the dropped assumption, as a sentence; empty if ``otherwise`` is."""
        return f"Without it, {self.otherwise}." if self.otherwise else ""
