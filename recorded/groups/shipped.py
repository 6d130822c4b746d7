"""Recorded runs in this package."""

from pathlib import Path

from rebalance_proofs.recorded.groups.run import Run

FOLDER = Path(__file__).parent


def shipped(version: str, scenario: str) -> Run:
    """Return the run of a scenario, such as ``shipped("java-5.3.3", "relock")``; the README lists them."""
    return Run(FOLDER / version / scenario)


def all_shipped() -> dict[str, Run]:
    """Return all runs in the package by version and scenario, such as ``java-5.3.3/relock``."""
    folders = sorted(path.parent for path in FOLDER.glob("java-*/*/driver.jsonl.gz"))
    return {f"{folder.parent.name}/{folder.name}": Run(folder) for folder in folders}
