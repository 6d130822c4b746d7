"""Digests of what the solvers are asked: of each proved claim, all texts of its obligations and lemmas together.

A premise that is stronger, or a conclusion that is weaker, than it was leaves most claims PROVED.
"""

from collections.abc import Iterator
from hashlib import sha256

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.texts import proof


def texts() -> Iterator[str]:
    """A line for each claim: its number of texts, and their digest."""
    for claim in LEDGER:
        if claim.holds:
            steps = (*claim.obligations, *claim.lemmas)
            asked = [proof(claim.id, step, claim.subjects[0].encoding) for step in steps]
            yield f"{claim.id} {len(asked)} {sha256(chr(0).join(asked).encode()).hexdigest()[:12]}"
