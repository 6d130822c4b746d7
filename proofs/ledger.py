"""The ledger: every claim, and how to select some of them."""

from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.named import selected

LEDGER: tuple[Claim, ...] = tuple(claim for kind in KINDS.values() for claim in kind.claims())


def select(patterns: Sequence[str], ledger: Sequence[Claim] | None = None) -> tuple[Claim, ...]:
    """The claims of ``ledger`` (default: all) that the patterns select (``proofs.named``).

    Raises ``UsageError`` for a pattern that selects nothing, and for a claim about a strategy that lacks the encoding
    by which it is judged.
    """
    chosen = selected(patterns, LEDGER if ledger is None else ledger)
    for claim in chosen:
        for strategy in claim.subjects:
            # a claim about one fixed case needs no encoding, as that of CONFIG
            if strategy.encoding is None and not claim.world.sized:
                raise UsageError(f"the strategy {strategy.name!r} has no encoding, by which {claim.id} is judged")
    return chosen
