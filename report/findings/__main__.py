"""``python -m rebalance_proofs.report.findings``: writes docs/findings.md and its pictures.

Below the directory that is named, if one is.
"""

import sys
from pathlib import Path

from rebalance_proofs.report.findings.files import files


def write(directory: Path) -> None:
    """Everything, and no picture that the page has no more."""
    found = files()
    for picture in (directory / "findings").glob("*.svg"):
        if f"findings/{picture.name}" not in found:
            picture.unlink()
    for path, text in found.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(*sys.argv[1:2] or ["docs"]))
