"""The project's own recorded results, which come with the package."""

from pathlib import Path

OWN = Path(__file__).resolve().parent / "vectors"
"""The directory that holds them; its ``pinned.json`` says how much of each file has to be there."""


def is_own(directory: Path) -> bool:
    """Whether the path leads to that directory, however it is written."""
    return directory.resolve() == OWN
