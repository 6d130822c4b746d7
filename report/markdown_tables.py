"""Markdown tables for the docs, with links to claims in their cells."""

from collections.abc import Iterable, Sequence

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.report.claims.mark import from_docs

MARKS = {Verdict.PROVED: "✓", Verdict.REFUTED: "◇"}
NOTHING = "–"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table. Line breaks and vertical bars in a cell are escaped."""
    lines = [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    return "\n".join([f"| {' | '.join(header)} |", f"|{'---|' * len(header)}", *lines])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def anchor(claim: Claim) -> str:
    """Return a Markdown link target for a claim, followed by the claim's id."""
    return f'<a id="{claim.id}"></a>`{claim.id}`'


def link(claim: Claim, text: str) -> str:
    """Return a link to the claim in the ledger, for a page of docs/."""
    return f"[{text}]({from_docs(claim.id)})"


def mark(claims: Iterable[Claim]) -> str:
    """Return a sign for each verdict among the claims, such as ✓, linked to the first claim with it."""
    kinds: dict[Verdict, Claim] = {}
    for claim in claims:
        kinds.setdefault(claim.expected, claim)
    return " ".join(link(claim, MARKS.get(verdict, verdict)) for verdict, claim in kinds.items()) or NOTHING
