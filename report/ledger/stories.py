"""Smallest counterexamples in words, those that differ in nothing but the client together."""

from collections.abc import Iterable, Iterator

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.smallest import smallest


def stories(claims: Iterable[Claim]) -> Iterator[str]:
    """For each a line that says whose it is, and a numbered list."""
    found = [(claim, shown(claim).lines(claim, smallest(claim))) for claim in claims]
    for rest, alike in grouped(found, lambda told: told[1][1:]).items():
        claim = alike[0][0]
        whose = "; ".join(told[0].removesuffix(".") for _, told in alike)
        yield f"◇ {whose} ({shown(claim).size(smallest(claim))}):"
        yield numbered(rest)


def numbered(told: Iterable[str]) -> str:
    """The lines as a list."""
    return "\n".join(f"{number}. {line}" for number, line in enumerate(told, 1))
