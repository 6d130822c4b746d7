"""Which formulas of a run have certificates."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from random import Random

from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.smt.linear import MONOTONE

# The texts that need a certificate: one for each obligation of a claim that is expected to hold.

MISSING = "no certificate was produced"
"""Reason for a text of which neither a certificate nor a failure is known."""
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


@dataclass(frozen=True)
class Share:
    """How many obligations of one claim are certified."""

    obligations: int
    tried: int
    """Obligations whose text was to get a certificate: all, or those of a sample."""
    uncertified: Mapping[str, str]
    """Why tried obligations have no accepted certificate, by their names."""

    @property
    def certified(self) -> int:
        """Number of obligations with an accepted certificate."""
        return self.tried - len(self.uncertified)

    def __str__(self) -> str:
        """Return ``certified: 12 of 12``, or ``certified: 3 of 12 (9 not drawn)``."""
        left = self.obligations - self.tried
        return f"certified: {self.certified} of {self.obligations}{f' ({left} not drawn)' if left else ''}"


@dataclass
class Certified:
    """The formulas of the proved claims, and the certificates that a run found."""

    claims: dict[str, dict[str, str]]
    """Text of each obligation, by claim and by obligation."""
    drawn: dict[str, str]
    """The texts that get certificates, by digest: all, or a sample."""
    formulas: int
    """Number of texts, each counted once."""
    accepted: set[str] = field(default_factory=set)
    """Digests of the texts with an accepted certificate."""
    reasons: dict[str, str] = field(default_factory=dict)
    """Why texts have no certificate, by digest."""

    def add(self, name: str, found: Certificate) -> None:
        """Note the certificate of the text with a digest, or the reason why there is none."""
        if found.text:
            self.accepted.add(name)
        else:
            self.reasons[name] = found.reason

    @property
    def certified(self) -> int:
        """Number of texts with an accepted certificate."""
        return len(self.accepted)

    @cached_property
    def _digests(self) -> Mapping[str, Mapping[str, str]]:
        return {claim: {name: digest(text) for name, text in of.items()} for claim, of in self.claims.items()}

    def share(self, claim: str) -> Share | None:
        """Return how many obligations of a claim are certified; None for a claim that is not proved."""
        if claim not in self._digests:
            return None
        tried = {name: stem for name, stem in self._digests[claim].items() if stem in self.drawn}
        lacking = {name: self.reasons.get(stem, MISSING) for name, stem in tried.items() if stem not in self.accepted}
        return Share(len(self._digests[claim]), len(tried), lacking)

    @property
    def uncertified(self) -> list[tuple[str, str, str]]:
        """Return (claim, obligation, reason) for each tried obligation without an accepted certificate."""
        shares = ((claim, self.share(claim)) for claim in self.claims)
        return [(claim, name, why) for claim, of in shares if of for name, why in of.uncertified.items()]


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
