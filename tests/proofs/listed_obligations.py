"""Which obligations and lemmas each proved claim rests on: pinned, so that none gets lost unseen.

``make pins`` writes the pins.
"""

from collections.abc import Mapping

from rebalance_proofs.proofs.ledger import LEDGER


def listed() -> Mapping[str, list[str]]:
    """Names of obligations and lemmas, in their order -> the claims that rest on exactly these."""
    found: dict[str, list[str]] = {}
    for claim in LEDGER:
        if claim.holds:
            names = ", ".join(one.name for one in (*claim.obligations, *claim.lemmas))
            found.setdefault(names, []).append(claim.id)
    return found
