"""Where a claim stands: each kind has a page, which is called as claims of that kind begin."""

__all__ = ["FOLDER", "beside", "from_docs", "name_of"]

FOLDER = "ledger"
"""Below docs/."""


def name_of(claim_id: str) -> str:
    """``ordered``, of ``ordered.java_v5_2.exclusive``."""
    return claim_id.partition(".")[0]


def beside(claim_id: str) -> str:
    """The address of a claim's row, from a page of the folder."""
    return f"{name_of(claim_id)}.md#{claim_id}"


def from_docs(claim_id: str) -> str:
    """The same from a page of docs/."""
    return f"{FOLDER}/{beside(claim_id)}"
