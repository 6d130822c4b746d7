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
    """One kind of claims, such as those about shares of consumers, or about rebalances of a client's table."""

    claims: Callable[[], Sequence[Claim]]
    """All claims of the kind, in the order of the ledger."""
    looking: Callable[..., Looking]
    """``looking(claim, pool)`` or ``looking(claim, pool, mutant)``: the search for a violation."""
    observed: Callable[[Any], Any]
    """``observed(subject)``: an encoding of the same form, whose parts run the subject's code on numerals."""
    slips: Callable[[Any], tuple[Mutant, ...]] = lambda encoding: ()
    """``slips(encoding)``: mutants of the encoding that are wrong in one part; obligations must notice them."""
    rooms: Mapping[str, Callable[[], Sequence[Claim]]] = field(default_factory=dict)
    """First part of an id -> the claims whose ids begin with it, for a kind that has several; in the same order."""

    def wrong(self, subject: Subject, first: Sequence[Mutant] = ()) -> tuple[Mutant, ...]:
        """All known mutants of the subject's encoding: those in ``first``, then the slips, then the other mutants."""
        return (*first, *self.slips(subject.encoding), *(one for one in subject.mutants if one not in first))
