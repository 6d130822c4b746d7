"""The assumptions, definitions and covered cases of a claim, in words."""

from collections.abc import Iterable

from rebalance_proofs.proofs.claim import Claim

SORTS = ("assumes", "where", "covers")
"""Fields of ``Claim`` that hold phrases: assumptions, definitions, and cases that the claim covers explicitly."""


def joined(phrases: Iterable[str]) -> str:
    """Join phrases for one printed line, without the full stop."""
    return "; ".join(phrases)


def assumed(claim: Claim) -> str:
    """Return a claim's assumptions as a printed line: ``Assumes: no broker restart. ...``

    The line ends with the dropped assumption, if the claim drops one.
    """
    parts = [f"{sort.capitalize()}: {joined(phrases)}." for sort in SORTS if (phrases := getattr(claim, sort))]
    if claim.world.dropped:
        parts.append(f"Does not assume: {claim.world.drops}.")
    return " ".join(parts)
