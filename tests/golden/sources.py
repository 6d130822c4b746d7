"""Where it says that a claim is so, or that it is not, and how far it goes: each with the claims that say it."""

from collections.abc import Iterator

from rebalance_proofs.proofs.ledger import LEDGER
from tests.golden.digested import digest


def sources() -> Iterator[str]:
    """A line for each address and scope: how many claims have it, the first of them, and a digest of all."""
    named: dict[str, list[str]] = {}
    for claim in LEDGER:
        named.setdefault(claim.source, []).append(claim.id)
        named.setdefault(claim.scope, []).append(claim.id)
    for said, ids in named.items():
        yield f"{said} {len(ids)} {ids[0]} {digest(' '.join(ids))}"
