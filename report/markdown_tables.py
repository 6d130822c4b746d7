"""Tables in Markdown whose cells may link to claims, and how a claim is named in one."""

from collections.abc import Iterable, Sequence

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.report.claim_address import from_docs

MARKS = {Verdict.PROVED: "✓", Verdict.REFUTED: "◇"}
NOTHING = "–"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; nothing in a cell ends it early."""
    lines = [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    return "\n".join([f"| {' | '.join(header)} |", f"|{'---|' * len(header)}", *lines])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def anchor(claim: Claim) -> str:
    """What links to the claim lead to, and its id."""
    return f'<a id="{claim.id}"></a>`{claim.id}`'


def link(claim: Claim, text: str) -> str:
    """To the claim's row, from a page of docs/."""
    return f"[{text}]({from_docs(claim.id)})"


def mark(claims: Iterable[Claim]) -> str:
    """How claims of one cell are expected to come out, each kind once, leading to the first of it."""
    kinds: dict[Verdict, Claim] = {}
    for claim in claims:
        kinds.setdefault(claim.expected, claim)
    return " ".join(link(claim, MARKS.get(verdict, verdict)) for verdict, claim in kinds.items()) or NOTHING


def source_link(source: str) -> str:
    """``rocketmq#1547`` for an issue, the last part of other addresses."""
    parts = source.rstrip("/").split("/")
    return f"[{f'{parts[-3]}#{parts[-1]}' if 'issues' in parts else parts[-1]}]({source})"
