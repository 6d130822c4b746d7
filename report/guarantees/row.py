"""Rows, tables and sections of the guarantees page. The claims' verdicts give a cell's word."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.claims.mark import from_docs

MOST_WORDS = 12
"""Largest number of words in a label."""
ISSUES = "https://github.com/apache/rocketmq/issues"


@dataclass(frozen=True)
class Row:
    """One guarantee, with a cell for each client.

    ``{}`` in a claim id is replaced with the client's name.
    """

    label: str
    claims: str | Mapping[str, str]
    """Claim ids without their first part, separated by spaces: for all clients, or client -> ids."""
    issue: int = 0
    """The number of the RocketMQ issue about a failure of the guarantee."""
    why: Mapping[str, str] = field(default_factory=dict)
    """Client -> the reason, shown after "no", why the guarantee does not hold."""
    absent: Mapping[str, str] = field(default_factory=dict)
    """Client -> the word in its cell, for clients without a claim about the guarantee."""
    only: tuple[str, str] | None = None
    """(word, claim ids): shown instead of "always" if these further claims are refuted."""

    @property
    def words(self) -> str:
        """Return the row's label, with a link to the issue if there is one."""
        return f"{self.label} ([#{self.issue}]({ISSUES}/{self.issue}))" if self.issue else self.label

    def of(self, kind: str, client: str) -> list[Claim]:
        """Return the row's claims about that client; may be empty.

        Raises ``LookupError`` if the row names an id for this client that the ledger does not have.
        """
        if isinstance(self.claims, str):
            ids = self.claims if "{}" in self.claims else f"{{}}.{self.claims}"
            known = _claims()
            return [known[one] for name in ids.split() if (one := f"{kind}.{name.format(client)}") in known]
        return [LEDGER.named(f"{kind}.{name.format(client)}") for name in self.claims.get(client, "").split()]


@dataclass(frozen=True)
class Table:
    """A table with a row for each guarantee and a column for each client."""

    kind: str
    clients: Sequence[Any]
    rows: Sequence[Row]
    head: str = ""
    """The line above the table; empty if the section has only one table."""


@dataclass(frozen=True)
class Section:
    """A section of the page: heading, scope, assumptions, tables, and further lines."""

    title: str
    scope: str
    assumptions: Sequence[str]
    tables: Sequence[Table]
    about: Callable[[Claim], bool]
    """Function: does a claim count in the section's line about conformance marks?"""
    more: Callable[[], Iterator[str]] = lambda: iter(())
    """Lines of text below the section's tables."""


@cache
def _claims() -> Mapping[str, Claim]:
    return {claim.id: claim for claim in LEDGER}


def cell(row: Row, kind: str, client: str) -> str:
    """Return the word for one client, such as "always" or "no", linked to the claim that decides it.

    Raises ``LookupError`` if no claim decides it.
    """
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
