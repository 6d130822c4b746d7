"""Files of the findings page: the page itself and its pictures."""

from rebalance_proofs.report.allocation.figure import picture
from rebalance_proofs.report.findings.page import page
from rebalance_proofs.report.findings.pictures import PICTURES


def files() -> dict[str, str]:
    """Return the text of each file by its path below ``docs``."""
    return {"findings.md": page()} | {
        f"findings/{name}.svg": picture(found.example) for name, found in PICTURES.items()
    }
