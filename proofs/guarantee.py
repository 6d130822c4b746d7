"""A guarantee: a sentence, proof obligations, its violation as a term, and a check of what the client's code did."""

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
    """One promise about the results of a group, or about what rounds do to a client's table."""

    name: str
    sentence: str
    source: str
    obligations: Callable[[Any], tuple[Obligation, ...]]
    """``obligations(world)``: proof obligations that together imply the guarantee in that world, for every size.

    Empty where the guarantee does not hold.
    """
    violated: Callable[[Any], smt.BoolTerm]
    """``violated(situation)``: the term for "the guarantee does not hold in this situation".

    A situation is a ``model.worlds.groups.SymbolicGroup``, or one of ``model.transition``. The term may have unknowns
    of its own besides those of the situation.
    """
    violation: Callable[..., str | None]
    """One sentence about how the observed behaviour of the code violates the guarantee; None if the guarantee holds.

    ``violation(group, results)`` of a group and the shares of its consumers, ``violation(rounds)`` of a client's
    rounds.
    """
    brief: str = field(default="", kw_only=True)
    """A shorter form of the sentence, for claims whose sentences would otherwise have more than 25 words."""
    assumes: tuple[str, ...] = field(default=(), kw_only=True)
    """What the sentence leaves to the line of assumptions, as noun phrases."""
    premise: str = field(default="", kw_only=True)
    """Name of the dropped assumption that its own sentence names, if it is only claimed without that assumption."""

    def said(self, before: str = "", after: str = "") -> str:
        """The sentence between these words; its short form if that would have more than ``LONGEST`` words.

        A client's name counts as ``NAMED`` words at least, so that claims about several clients have the same form.
        """
        words = max(len(before.split()), NAMED) + len(f"{self.sentence}{after}".split())
        return f"{before}{self.brief if self.brief and words > LONGEST else self.sentence}{after}"


def always(*steps: Obligation) -> Callable[[World], tuple[Obligation, ...]]:
    """A function that gives these obligations in every world."""
    return lambda world: steps


def agreed(
    *steps: Obligation, without: Mapping[str, tuple[Obligation, ...]] = MappingProxyType({})
) -> Callable[[World], tuple[Obligation, ...]]:
    """A function that gives ``steps`` in a world that drops no premise, and ``without[name]`` in one that does.

    A world that drops a premise and is missing from ``without`` has no obligations.
    """
    return lambda world: without.get(world.name, ()) if world.dropped else steps
