"""The recorded results that are part of this package."""

from pathlib import Path

OWN = Path(__file__).resolve().parent / "vectors"
"""Directory of the recorded results in this package.

Its ``pinned.json`` defines the required content of each file.
"""


def is_own(directory: Path) -> bool:
    """Return True if the path leads to the directory ``OWN``, however it is written."""
    return directory.resolve() == OWN
