"""Rows, tables and sections of the page; a cell's word comes from the verdicts of the claims that it links to."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.claim_address import from_docs

__all__ = ["MOST_WORDS", "Row", "Section", "Table", "cell"]

MOST_WORDS = 12
"""Words that a label has at most."""
ISSUES = "https://github.com/apache/rocketmq/issues"


@dataclass(frozen=True)
class Row:
    """What is guaranteed. ``{}`` in an id stands for the client's name; the kind is the table's."""

    label: str
    claims: str | Mapping[str, str]
    """Ids of claims without their kind, several with spaces between: for every client alike, or by client."""
    issue: int = 0
    """The number of the RocketMQ issue about it."""
    why: Mapping[str, str] = field(default_factory=dict)
    """Client -> the reason, shown behind "no"."""
    absent: Mapping[str, str] = field(default_factory=dict)
    """Client without such a claim -> the word in its cell."""
    only: tuple[str, str] | None = None
    """A word, and ids: if the row's claims are proved and these are refuted, the cell has the word, not "always"."""

    @property
    def words(self) -> str:
        """The label, with a link to the issue."""
        return f"{self.label} ([#{self.issue}]({ISSUES}/{self.issue}))" if self.issue else self.label

    def of(self, kind: str, client: str) -> list[Claim]:
        """The claims about that client; empty if there are none. Raises ``LookupError`` for an id by client."""
        if isinstance(self.claims, str):
            ids = self.claims if "{}" in self.claims else f"{{}}.{self.claims}"
            known = _claims()
            return [known[one] for name in ids.split() if (one := f"{kind}.{name.format(client)}") in known]
        return [LEDGER.named(f"{kind}.{name.format(client)}") for name in self.claims.get(client, "").split()]


@dataclass(frozen=True)
class Table:
    """Rows with a column for each client."""

    kind: str
    clients: Sequence[Any]
    rows: Sequence[Row]
    head: str = ""
    """A line above the table; empty if there is only one."""


@dataclass(frozen=True)
class Section:
    """A heading, its scope in one sentence, its assumptions, its tables, and further lines."""

    title: str
    scope: str
    assumptions: Sequence[str]
    tables: Sequence[Table]
    about: Callable[[Claim], bool]
    """Whether a claim counts for the section's marks."""
    more: Callable[[], Iterator[str]] = lambda: iter(())
    """Lines below the tables."""


@cache
def _claims() -> Mapping[str, Claim]:
    return {claim.id: claim for claim in LEDGER}


def cell(row: Row, kind: str, client: str) -> str:
    """The word for one client, linked to a claim that decides it. Raises ``LookupError`` if nothing decides it."""
    claims = row.of(kind, client)
    if not claims:
        return row.absent.get(client, "–")
    if client in row.absent:
        raise LookupError(f"{row.label}: {client} has a claim and a word for none")
    refuted = [claim for claim in claims if claim.expected is Verdict.REFUTED]
    if refuted:
        why = row.why.get(client, "")
        return f"[no]({from_docs(refuted[0].id)}){f': {why}' if why else ''}"
    if any(claim.expected is not Verdict.PROVED for claim in claims) or client in row.why:
        raise LookupError(f"{row.label}: the verdicts for {client} decide nothing, or a reason is given for none")
    word = "always"
    if row.only:
        others = Row("", row.only[1]).of(kind, client)
        word = row.only[0] if any(one.expected is Verdict.REFUTED for one in others) else word
    return f"[{word}]({from_docs(claims[0].id)})"
