"""Digests of what the solvers are asked: of each proved claim, the text of each obligation and lemma; of each refuted
one about groups or tables, the questions for a counterexample of the smallest sizes.

A premise that is stronger, or a conclusion that is weaker, than it was leaves most claims PROVED.
"""

from collections.abc import Iterator
from itertools import islice
from unittest.mock import Mock

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.texts import proof
from tests.golden.digested import each_digested

WITH_SIZES = ("allocation", "transition")
"""Kinds whose counterexamples are asked for size by size; of others they are explored (``searches``)."""
FIRST = 3
"""Of so many sizes."""


def texts() -> Iterator[str]:
    """A line for each claim: its obligations and lemmas, or sizes, each with the digest of its text."""
    for claim in LEDGER:
        if claim.holds or claim.kind in WITH_SIZES:
            yield f"{claim.id}: {each_digested(_asked(claim))}"


def _asked(claim: Claim) -> Iterator[tuple[str, str]]:
    if claim.holds:
        steps = (*claim.obligations, *claim.lemmas)
        yield from ((step.name, proof(claim.id, step, claim.subjects[0].encoding)) for step in steps)
        return
    looking = KINDS[claim.kind].looking(claim, Mock())  # no solver is asked here
    yield from ((f"size {size}", looking.text(size)) for size in islice(looking.sizes(), FIRST))
