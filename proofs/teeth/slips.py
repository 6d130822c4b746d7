"""Encodings that are wrong in one part alone; each kind of claims has those of its own (``Kind.slips``).

A mutant is wrong for a group to see, and has to be noticed by a guarantee. A slip may be one that only a proof can see:
a wrong owner that is named, a list that is spelled out in another order. It has to be noticed by an obligation.
"""

from typing import Any

from rebalance_proofs.model.terms.mutant import Mutant

__all__ = ["as_mutants"]


def as_mutants(*wrong: tuple[str, str, Any]) -> tuple[Mutant, ...]:
    """Of each its name, what is wrong with it, and the encoding. None is said to break a guarantee."""
    return tuple(Mutant(name, sentence, encoding, breaks="") for name, sentence, encoding in wrong)
