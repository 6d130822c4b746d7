"""Mutants of encodings that belong to no guarantee ("slips").

Each kind of claims has its own (``Kind.slips``). A mutant that breaks a guarantee is wrong in a way that an example
group shows. A slip is wrong in one part or, for a machine, in one respect of every action. Sometimes only a proof
shows the difference: a wrong owner is named, or a list is built in another order. Some obligation must fail for each
slip.
"""

from typing import Any

from rebalance_proofs.model.terms.mutant import Mutant


def as_mutants(*wrong: tuple[str, str, Any]) -> tuple[Mutant, ...]:
    """Return mutants made of (name, fault, encoding) triples, for no specific guarantee."""
    return tuple(Mutant(name, sentence, encoding, breaks="") for name, sentence, encoding in wrong)
