"""Files of the docs' pages about the ledger."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.claim_address import FOLDER
from rebalance_proofs.report.ledger.claims import kinds, listed
from rebalance_proofs.report.ledger.page import page


def files(claims: Sequence[Claim] = LEDGER) -> Mapping[str, str]:
    """Return the Markdown of each page by its path below docs/."""
    return {"ledger.md": page(claims)} | {
        f"{FOLDER}/{name}.md": listed(name, own) for name, own in kinds(claims).items()
    }


def write(directory: Path) -> None:
    """Write all pages, and delete pages of kinds of claims that no longer exist."""
    found = files()
    for old in (directory / FOLDER).glob("*.md"):
        if f"{FOLDER}/{old.name}" not in found:
            old.unlink()
    for path, text in found.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
