"""Links to claims in the docs.

Each kind of claims has a page, named by the first part of the claims' ids.
"""

FOLDER = "ledger"
"""Folder of the claims' pages, relative to docs/reference/."""


def name_of(claim_id: str) -> str:
    """Return the name of the claim's page: ``ordered`` for ``ordered.java_v5_2.exclusive``."""
    return claim_id.partition(".")[0]


def beside(claim_id: str) -> str:
    """Return the link to a claim's row from a page in the same folder."""
    return f"{name_of(claim_id)}.md#{claim_id}"


def from_docs(claim_id: str) -> str:
    """Return the link to a claim's row from a page one folder above."""
    return f"{FOLDER}/{beside(claim_id)}"
