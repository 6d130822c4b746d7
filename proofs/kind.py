"""Interface between the engine and a kind of claims; the engine knows no kind by name.

A kind has a type of environment of its own, and its own searches: allocation, transition, offsets, and so on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rebalance_proofs.model.subject import Subject
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.search import Looking


@dataclass(frozen=True)
class Kind:
    """One kind of claims, such as claims about allocation, or about rebalances."""

    claims: Callable[[], Sequence[Claim]]
    """Return all claims of the kind, in the order of the ledger."""
    looking: Callable[..., Looking]
    """``looking(claim, pool)``: return the search for a violation of the claim.

    ``looking(claim, pool, mutant)`` searches for a violation by the mutant. ``pool`` has the solvers.
    """
    observed: Callable[[Any], Any]
    """``observed(subject)``: return an encoding that runs the subject's code on numerals."""
    slips: Callable[[Any], tuple[Mutant, ...]] = lambda encoding: ()
    """``slips(encoding)``: return mutants of the encoding, each with an error in one part.

    The obligations of some claim must fail for each of them.
    """
    rooms: Mapping[str, Callable[[], Sequence[Claim]]] = field(default_factory=dict)
    """First part of an id -> the claims whose ids begin with it.

    Used by kinds whose ids begin with different words. The order is that of the ledger.
    """

    def wrong(self, subject: Subject, first: Sequence[Mutant] = ()) -> tuple[Mutant, ...]:
        """Return all known mutants of the subject's encoding (encodings with one deliberate error).

        The mutants in ``first`` come first, then those with an error in one part, then the others.
        """
        return (*first, *self.slips(subject.encoding), *(one for one in subject.mutants if one not in first))
