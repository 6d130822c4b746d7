"""The project's own recorded results, which are part of the package."""

from pathlib import Path

OWN = Path(__file__).resolve().parent / "vectors"
"""Directory of these results; its ``pinned.json`` defines the required content of each file."""


def is_own(directory: Path) -> bool:
    """Return True if the path leads to that directory, however it is written."""
    return directory.resolve() == OWN
