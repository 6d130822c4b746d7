"""Smallest counterexamples in words, those that differ in nothing but the client together."""

from collections.abc import Iterable, Iterator

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.smallest import smallest
from rebalance_proofs.report.telling import lines, size


def stories(claims: Iterable[Claim]) -> Iterator[str]:
    """For each a line that says whose it is, and a numbered list."""
    told: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for claim in claims:
        example = smallest(claim)
        who, *rest = lines(claim, example)
        told.setdefault(tuple(rest), []).append((who.removesuffix("."), size(example)))
    for rest, found in told.items():
        yield f"◇ {'; '.join(who for who, _ in found)} ({found[0][1]}):"
        yield numbered(rest)


def numbered(told: Iterable[str]) -> str:
    """The lines as a list."""
    return "\n".join(f"{number}. {line}" for number, line in enumerate(told, 1))
