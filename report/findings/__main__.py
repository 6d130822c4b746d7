"""``python -m rebalance_proofs.report.findings [DIR]``: write findings.md and its pictures.

DIR is docs/reference by default.
"""

import sys
from pathlib import Path

from rebalance_proofs.report.findings.page import files


def write(directory: Path) -> None:
    """Write findings.md and its pictures, and delete pictures that the page no longer shows."""
    found = files()
    for picture in (directory / "findings").glob("*.svg"):
        if f"findings/{picture.name}" not in found:
            picture.unlink()
    for path, text in found.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(*sys.argv[1:2] or ["docs/reference"]))
