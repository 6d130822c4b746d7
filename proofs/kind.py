"""A kind of claims: what the engine has to know of them, and knows of no kind by name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.subject import Subject
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.search import Looking


@dataclass(frozen=True)
class Kind:
    """Claims about one thing: what consumers take, what a rebalance does to a client's table."""

    claims: Callable[[], Sequence[Claim]]
    """All of them, in the order of the ledger."""
    looking: Callable[..., Looking]
    """``looking(claim, pool)``, ``looking(claim, pool, mutant)``: the search for a violation."""
    observed: Callable[[Any], Any]
    """``observed(subject)``: an encoding of the same form whose parts run the subject's code, on numerals."""
    slips: Callable[[Any], tuple[Mutant, ...]] = lambda encoding: ()
    """``slips(encoding)``: encodings that are wrong in one part, of which obligations have to take notice."""

    def wrong(self, subject: Subject, first: Sequence[Mutant] = ()) -> tuple[Mutant, ...]:
        """All encodings of the subject's form that are known to be wrong: some of its mutants first, others last."""
        return (*first, *self.slips(subject.encoding), *(one for one in subject.mutants if one not in first))
