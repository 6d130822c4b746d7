"""The recorded runs that are a part of this package."""

from pathlib import Path

from rebalance_proofs.recorded.groups.run import Run

FOLDER = Path(__file__).parent


def shipped(version: str, scenario: str) -> Run:
    """The run of a scenario, such as ``shipped("java-5.3.3", "relock")``; its README says which there are."""
    return Run(FOLDER / version / scenario)


def all_shipped() -> dict[str, Run]:
    """All shipped runs, by version and scenario: ``java-5.3.3/relock``."""
    folders = sorted(path.parent for path in FOLDER.glob("java-*/*/driver.jsonl.gz"))
    return {f"{folder.parent.name}/{folder.name}": Run(folder) for folder in folders}
