"""Whom a claim concerns: which releases of which clients, in which ways to use them, and which strategies."""

from functools import cache

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.symptoms.asked import MODES, RELEASES, Asked, covers, releases_of

__all__ = ["DIGITS", "concerned", "strategies"]

DIGITS = -(-len(MODES) // 4)
"""Hexadecimal digits for a release: a bit a mode, the first mode's the lowest."""


@cache
def concerned(claim: Claim) -> str:
    """Release by release ``DIGITS`` hexadecimal digits, which say in which modes the claim is about it.

    A claim whose subjects do not say of which releases they are concerns everybody.
    """
    if not releases_of(claim):
        return f"{(1 << len(MODES)) - 1:0{DIGITS}x}" * len(RELEASES)
    return "".join(f"{_modes(claim, release):0{DIGITS}x}" for release in RELEASES)


def _modes(claim: Claim, release: str) -> int:
    return sum(covers(claim, Asked(release, mode)) << place for place, mode in enumerate(MODES))


def strategies(claim: Claim) -> tuple[str, ...]:
    """By the names that users set; empty where it is about no strategy, and so concerns whoever uses any."""
    return tuple(dict.fromkeys(shown(claim).strategies(claim)))
