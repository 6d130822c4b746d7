"""The files of the findings: the page, and the pictures that it shows."""

from rebalance_proofs.report.allocation.picture import picture
from rebalance_proofs.report.findings.page import page
from rebalance_proofs.report.findings.pictures import PICTURES


def files() -> dict[str, str]:
    """Path below ``docs`` -> text; the same whenever the claims are the same."""
    return {"findings.md": page()} | {
        f"findings/{name}.svg": picture(found.example) for name, found in PICTURES.items()
    }
