"""Where it says that a claim is so, or that it is not, and how far it goes: each with the claims that say it."""

from collections.abc import Iterator

from rebalance_proofs.proofs.ledger import LEDGER


def sources() -> Iterator[str]:
    """Each address and scope, and the claims that have it, by the first two words of their ids."""
    named: dict[str, list[str]] = {}
    for claim in LEDGER:
        named.setdefault(claim.source, []).append(claim.id)
        named.setdefault(claim.scope, []).append(claim.id)
    for said, ids in named.items():
        yield said
        of: dict[str, list[str]] = {}
        for one in ids:
            kind, subject, *rest = one.split(".", 2)
            of.setdefault(f"{kind}.{subject}", []).append(rest[0] if rest else "(itself)")
        yield from (f"  {subject}: {', '.join(rest)}" for subject, rest in of.items())
