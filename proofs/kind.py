"""Interface between the engine and a kind of claims; the engine knows no kind by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rebalance_proofs.model.subject import Subject
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.search import Looking


@dataclass(frozen=True)
class Kind:
    """One kind of claims, such as claims about shares of consumers, or about rebalances."""

    claims: Callable[[], Sequence[Claim]]
    """All claims of the kind, in the order of the ledger."""
    looking: Callable[..., Looking]
    """``looking(claim, pool)`` or ``looking(claim, pool, mutant)``: return the search for a violation."""
    observed: Callable[[Any], Any]
    """``observed(subject)``: return an encoding whose parts run the subject's code on numerals."""
    slips: Callable[[Any], tuple[Mutant, ...]] = lambda encoding: ()
    """``slips(encoding)``: return mutants of the encoding that are wrong in one part.

    Obligations must fail for them.
    """
    rooms: Mapping[str, Callable[[], Sequence[Claim]]] = field(default_factory=dict)
    """First part of an id -> the claims whose ids begin with it, if the kind has several.

    In the order of the ledger.
    """

    def wrong(self, subject: Subject, first: Sequence[Mutant] = ()) -> tuple[Mutant, ...]:
        """Return all known mutants of the subject's encoding.

        The mutants in ``first`` come first, then the slips, then the others.
        """
        return (*first, *self.slips(subject.encoding), *(one for one in subject.mutants if one not in first))
