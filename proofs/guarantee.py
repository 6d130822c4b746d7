"""Guarantees: properties of an allocation or of rebalances that claims are about.

Each has a sentence, proof obligations, a violation term, and a check of observed behaviour.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.obligation import Obligation

# Worlds: the assumptions of a claim about a group, or about a client's rebalances.


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


LONGEST = 25
"""The largest number of words in a claim's sentence."""
NAMED = 5


@dataclass(frozen=True)
class Guarantee:
    """One guarantee about a group's allocation, or about a client's rebalances.

    A claim states that a strategy or client has the guarantee under some assumptions.
    """

    name: str
    sentence: str
    source: str
    obligations: Callable[[Any], tuple[Obligation, ...]]
    """``obligations(world)``: proof obligations that imply the guarantee, for every size.

    ``world`` has the claim's assumptions. The result is empty where the guarantee does not hold.
    """
    violated: Callable[[Any], smt.BoolTerm]
    """``violated(situation)``: the condition that the guarantee is violated, as a term.

    A situation is a ``model.worlds.groups.SymbolicGroup``, or one of ``model.transition``. The term may have unknowns
    besides those of the situation.
    """
    violation: Callable[..., str | None]
    """``violation(...)``: describe how observed behaviour violates the guarantee.

    The result is one sentence, or None. The arguments are a group and the queues of its consumers, or the ``Rounds``
    (waits and rebalances) of a client.
    """
    brief: str = field(default="", kw_only=True)
    """A shorter form of the sentence, for claims that would otherwise exceed 25 words."""
    assumes: tuple[str, ...] = field(default=(), kw_only=True)
    """Assumptions that the sentence does not mention, as noun phrases."""
    where: tuple[str, ...] = field(default=(), kw_only=True)
    """Definitions of words in the sentence; a definition excludes no case.

    An example is ``a round: one wait and one rebalance``.
    """
    covers: tuple[str, ...] = field(default=(), kw_only=True)
    """Cases that the guarantee covers explicitly, as phrases: ``any subscription versions``."""
    premise: str = field(default="", kw_only=True)
    """Name of an assumption that ``sentence`` itself says is dropped.

    Empty if the sentence drops none.
    """

    def said(self, before: str = "", after: str = "") -> str:
        """Return the sentence between ``before`` and ``after``.

        The short form ``brief`` replaces it if the whole would have more than ``LONGEST`` words. A client's name
        counts as at least ``NAMED`` words, so that claims about several clients have the same form.
        """
        words = max(len(before.split()), NAMED) + len(f"{self.sentence}{after}".split())
        return f"{before}{self.brief if self.brief and words > LONGEST else self.sentence}{after}"


def always(*steps: Obligation) -> Callable[[World], tuple[Obligation, ...]]:
    """Return a function that returns ``steps`` for every set of assumptions (``World``)."""
    return lambda world: steps


def agreed(
    *steps: Obligation, without: Mapping[str, tuple[Obligation, ...]] = MappingProxyType({})
) -> Callable[[World], tuple[Obligation, ...]]:
    """Return a function that returns the obligations for a set of assumptions (``World``).

    They are ``steps``, or ``without[name]`` if the assumption ``name`` is dropped. If a dropped assumption is missing
    in ``without``, there are no obligations.
    """
    return lambda world: without.get(world.name, ()) if world.dropped else steps
