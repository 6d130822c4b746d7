"""Where it says that a claim is so, or that it is not: each address, with the claims that name it."""

from collections.abc import Iterator
from hashlib import sha256

from rebalance_proofs.proofs.ledger import LEDGER


def sources() -> Iterator[str]:
    """A line for each address: how many claims name it, the first of them, and a digest of all."""
    named: dict[str, list[str]] = {}
    for claim in LEDGER:
        named.setdefault(claim.source, []).append(claim.id)
    for source, ids in named.items():
        yield f"{source} {len(ids)} {ids[0]} {sha256(' '.join(ids).encode()).hexdigest()[:8]}"
