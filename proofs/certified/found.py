"""Which formulas of a run have certificates."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random

from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.smt.linear import MONOTONE

# The texts that need a certificate: one for each obligation of a claim that is expected to hold.

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


@dataclass(frozen=True)
class Certificate:
    """An accepted certificate; or, without ``text``, why there is none."""

    text: str
    steps: int = 0
    seconds: float = 0.0
    """CPU seconds for production and check."""
    reason: str = ""


@dataclass
class Certified:
    """The formulas of the proved claims, and the certificates that a run found."""

    claims: dict[str, dict[str, str]]
    """Text of each obligation, by claim and by obligation."""
    drawn: dict[str, str]
    """The texts that get certificates, by digest: all, or a sample."""
    formulas: int
    """Number of texts, each counted once."""
    certified: int = 0
    reasons: dict[str, str] = field(default_factory=dict)
    """Why texts have no certificate, by digest."""

    def add(self, name: str, found: Certificate) -> None:
        """Count the certificate of the text with a digest."""
        if found.text:
            self.certified += 1
        else:
            self.reasons[name] = found.reason

    @property
    def uncertified(self) -> list[tuple[str, str, str]]:
        """Return (claim, obligation, reason) for each obligation whose text has no certificate."""
        every = ((claim, name, digest(text)) for claim, texts in self.claims.items() for name, text in texts.items())
        return [(claim, name, self.reasons[stem]) for claim, name, stem in every if stem in self.reasons]


def to_certify(results: Iterable[ClaimResult], most: int | None = None, seed: int = 0) -> Certified:
    """Return the formulas of the proved claims, of which none is certified yet.

    With ``most``, only as many get certificates, drawn at random.
    """
    claims = {
        result.claim.id: {one.name: one.proof.text for one in result.obligations}
        for result in results
        if result.verdict is Verdict.PROVED
    }
    texts = {digest(text): text for of_claim in claims.values() for text in of_claim.values()}
    chosen: Sequence[str] = sorted(texts)
    if most is not None and len(chosen) > most:
        chosen = Random(seed).sample(chosen, most)
    return Certified(claims, {name: texts[name] for name in chosen}, len(texts))
