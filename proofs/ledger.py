"""The ledger: every claim, and how to select some of them."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.named import named, near

LEDGER: tuple[Claim, ...] = tuple(claim for kind in KINDS.values() for claim in kind.claims())


def select(patterns: Sequence[str], ledger: Sequence[Claim] | None = None) -> tuple[Claim, ...]:
    """The claims of ``ledger`` (default: all) whose id matches one of ``patterns``; no patterns match everything.

    A ``*`` stands for any text without a dot, so that ``allocation.*.disjoint`` has one claim a strategy; a trailing
    ``.**`` or the pattern ``**`` stands for everything below. A pattern that matches no id is taken as a name
    (``proofs.named``).

    Raises ``UsageError`` for a pattern that selects nothing, and for a claim about a strategy that lacks the encoding
    by which it is judged.
    """
    chosen = _selected(patterns, LEDGER if ledger is None else ledger)
    for claim in chosen:
        for strategy in claim.subjects:
            # a claim about one fixed case needs no encoding, as that of CONFIG
            if strategy.encoding is None and not claim.world.sized:
                raise UsageError(f"the strategy {strategy.name!r} has no encoding, by which {claim.id} is judged")
    return chosen


def _selected(patterns: Sequence[str], ledger: Sequence[Claim]) -> tuple[Claim, ...]:
    if not patterns:
        return tuple(ledger)
    chosen: set[str] = set()
    for pattern in patterns:
        matching = {claim.id for claim in ledger if _matches(claim.id.split("."), pattern.split("."))}
        matching = matching or named(pattern, ledger)
        if not matching:
            raise UsageError(f"unknown claim or name {pattern!r}; {_nearest(pattern, ledger)}")
        chosen |= matching
    return tuple(claim for claim in ledger if claim.id in chosen)


def _nearest(pattern: str, ledger: Sequence[Claim]) -> str:
    """A hint for a pattern without a match: the first claim below it, or else the name spelled most like it."""
    above = pattern.removesuffix(".*")
    below = [claim.id for claim in ledger if claim.id.startswith(f"{above}.")]
    if below:
        return f"the nearest is {below[0]!r} (`rebalance list '{above}.**'` shows all)"
    like = near(pattern, ledger)
    return f"the nearest is {like!r} (`rebalance list` shows all)" if like else "`rebalance list` shows all"


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a pattern matches an id, both split at dots.

    All places that the pattern can have reached are kept, so that the time grows with the number of ``**`` only
    linearly.
    """
    reached = {0}
    for wanted in pattern:
        if wanted == "**":
            reached = set(range(min(reached), len(parts) + 1)) if reached else reached
        else:
            reached = {place + 1 for place in reached if place < len(parts) and fnmatchcase(parts[place], wanted)}
    return len(parts) in reached
