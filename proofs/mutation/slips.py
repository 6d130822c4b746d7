"""Mutants of encodings that belong to no guarantee; each kind of claims has its own (``Kind.slips``).

A mutant that breaks a guarantee is wrong in a way that a group shows. A slip, wrong in one part or, of a machine, in
one respect of every action, may be one that only a proof shows: a wrong owner that is named, a list that is spelled
out in another order. Some obligation has to notice it.
"""

from typing import Any

from rebalance_proofs.model.terms.mutant import Mutant

__all__ = ["as_mutants"]


def as_mutants(*wrong: tuple[str, str, Any]) -> tuple[Mutant, ...]:
    """Mutants made of (name, fault, encoding) triples; not tied to a particular guarantee."""
    return tuple(Mutant(name, sentence, encoding, breaks="") for name, sentence, encoding in wrong)
