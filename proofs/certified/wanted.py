"""The texts that need a certificate: one for each obligation of a claim that is expected to hold."""

import re
from collections.abc import Mapping
from hashlib import sha256

from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.smt.linear import MONOTONE

_COMMENT = re.compile(r"^;.*\n", re.MULTILINE)


def wanted(claim: Claim) -> Mapping[str, str]:
    """Return the text of each obligation of a claim by the obligation's name, made from the claim anew.

    They are the texts that ``proofs.prove`` gives to the solvers.
    """
    encoding, subject = claim.subjects[0].encoding, claim.subjects[0].rocketmq_name
    found = {step.name: texts.proof(claim.id if step.logic else subject, step, encoding) for step in claim.obligations}
    assert len(found) == len(claim.obligations), f"{claim.id}: obligations of the same name"
    lemmas = [*([MONOTONE] if any(map(texts.uses_lemmas, found.values())) else []), *claim.lemmas]
    return found | {step.name: texts.proof("lemma" if step.logic else subject, step, encoding) for step in lemmas}


def formulas(text: str) -> str:
    """Return a text without its comments, in which texts of different claims may differ alone."""
    return _COMMENT.sub("", text)


def digest(text: str) -> str:
    """Return the name of a text's files: a digest of all but its comments."""
    return sha256(formulas(text).encode()).hexdigest()[:32]
