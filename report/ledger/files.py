"""Files of the ledger."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.claim_address import FOLDER
from rebalance_proofs.report.ledger.claims import kinds, listed
from rebalance_proofs.report.ledger.page import page

__all__ = ["files", "write"]


def files(claims: Sequence[Claim] = LEDGER) -> Mapping[str, str]:
    """Path below docs/ -> Markdown."""
    return {"ledger.md": page(claims)} | {
        f"{FOLDER}/{name}.md": listed(name, own) for name, own in kinds(claims).items()
    }


def write(directory: Path) -> None:
    """Write all files, and delete pages of kinds that no longer exist."""
    found = files()
    for old in (directory / FOLDER).glob("*.md"):
        if f"{FOLDER}/{old.name}" not in found:
            old.unlink()
    for path, text in found.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
