"""Addresses of claims in the docs: each kind has a page, named by the first part of its claims' ids."""

__all__ = ["FOLDER", "beside", "from_docs", "name_of"]

FOLDER = "ledger"
"""The folder of these pages below docs/."""


def name_of(claim_id: str) -> str:
    """Name of the claim's page: ``ordered`` for ``ordered.java_v5_2.exclusive``."""
    return claim_id.partition(".")[0]


def beside(claim_id: str) -> str:
    """Link to a claim's row from a page within the folder."""
    return f"{name_of(claim_id)}.md#{claim_id}"


def from_docs(claim_id: str) -> str:
    """Link to a claim's row from a page of docs/."""
    return f"{FOLDER}/{beside(claim_id)}"
