"""Chapters about strategies on the ledger's first page, docs/reference/ledger.md."""

from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.allocation.chapters.differences import differences, same_name
from rebalance_proofs.report.allocation.chapters.glance import glance, spaces


def chapters(claims: Sequence[Claim]) -> tuple[str, ...]:
    """Return the chapters in Markdown, each with its heading.

    ``claims``: all claims of the project.
    """
    return glance(claims), same_name(claims), differences(), spaces(claims)
