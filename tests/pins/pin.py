"""Record of a pinned artefact: its file, how it is computed, and which parts it consists of."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent
"""Folder of the pins that only tests read."""
Parts = Mapping[str, Sequence[str]]
"""Name of a part, such as the id of a claim -> its lines."""


@dataclass(frozen=True)
class Pin:
    """One file with a result that later runs are compared with."""

    name: str
    file: Path
    computed: Callable[[], bytes]
    """Return the content that the file should have now."""
    parts: Callable[[bytes], Parts]
    noun: str
    """What the parts are, such as ``claims``."""
    stays: str = ""
    """Reason why the file is not in ``FOLDER``: the command that reads it."""
    slow: str = ""
    """Rough time, for a file that ``make pins`` computes only if it is named."""

    def pinned(self) -> bytes:
        """Return the file's content; empty if there is no file yet."""
        return self.file.read_bytes() if self.file.exists() else b""
