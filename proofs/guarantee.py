"""Guarantees: a sentence, proof obligations, a violation term, and a check of observed behaviour."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.world import World

LONGEST = 25
"""The number of words that a claim's sentence may have."""
NAMED = 5


@dataclass(frozen=True)
class Guarantee:
    """One guarantee about the results of a group, or about a client's rounds or runs."""

    name: str
    sentence: str
    source: str
    obligations: Callable[[Any], tuple[Obligation, ...]]
    """``obligations(world)``: proof obligations that together imply the guarantee, for every size.

    Empty where the guarantee does not hold.
    """
    violated: Callable[[Any], smt.BoolTerm]
    """``violated(situation)``: the term for "the guarantee does not hold in this situation".

    A situation is a ``model.worlds.groups.SymbolicGroup``, or one of ``model.transition``. The term may have unknowns
    besides those of the situation.
    """
    violation: Callable[..., str | None]
    """One sentence about how observed behaviour violates the guarantee; None if the guarantee holds.

    ``violation(group, results)``: a group and the shares of its consumers. ``violation(rounds)``: a client's rounds.
    """
    brief: str = field(default="", kw_only=True)
    """A shorter form of the sentence, for claims whose sentences would otherwise have more than 25 words."""
    assumes: tuple[str, ...] = field(default=(), kw_only=True)
    """Assumptions that the sentence does not mention, as noun phrases."""
    where: tuple[str, ...] = field(default=(), kw_only=True)
    """Definitions of words in the sentence: ``a round: one wait and one rebalance``. A definition excludes no case."""
    covers: tuple[str, ...] = field(default=(), kw_only=True)
    """Cases that the guarantee covers explicitly: ``any subscription versions``."""
    premise: str = field(default="", kw_only=True)
    """Name of the dropped assumption that the sentence names, if the guarantee needs a world without it."""

    def said(self, before: str = "", after: str = "") -> str:
        """Return the sentence between these words, or its short form if that exceeds ``LONGEST`` words.

        A client's name counts as at least ``NAMED`` words, so that claims about several clients have the same form.
        """
        words = max(len(before.split()), NAMED) + len(f"{self.sentence}{after}".split())
        return f"{before}{self.brief if self.brief and words > LONGEST else self.sentence}{after}"


def always(*steps: Obligation) -> Callable[[World], tuple[Obligation, ...]]:
    """Return a function that returns these obligations in every world."""
    return lambda world: steps


def agreed(
    *steps: Obligation, without: Mapping[str, tuple[Obligation, ...]] = MappingProxyType({})
) -> Callable[[World], tuple[Obligation, ...]]:
    """Return a function of the world: ``steps``, or ``without[name]`` if the world drops an assumption.

    A world that drops an assumption and is missing in ``without`` has no obligations.
    """
    return lambda world: without.get(world.name, ()) if world.dropped else steps
