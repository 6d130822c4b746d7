"""Recorded runs that are part of this package."""

from pathlib import Path

from rebalance_proofs.recorded.groups.run import Run

FOLDER = Path(__file__).parent


def shipped(version: str, scenario: str) -> Run:
    """Return the recorded run of a scenario, such as ``shipped("java-5.3.3", "relock")``.

    The README in this folder lists all scenarios.
    """
    return Run(FOLDER / version / scenario)


def all_shipped() -> dict[str, Run]:
    """Return all recorded runs in the package, by name such as ``java-5.3.3/relock``."""
    folders = sorted(path.parent for path in FOLDER.glob("java-*/*/driver.jsonl.gz"))
    return {f"{folder.parent.name}/{folder.name}": Run(folder) for folder in folders}
