"""Record of a place in the source that a generated fault changes."""

from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from tests.faults.tree import rewrite


@dataclass(frozen=True, order=True)
class Site:
    """A text in a file, and what stands there in its place."""

    file: str
    """Path from the root of the tree, as ``proofs/prove.py``."""
    line: int
    """Of the text's beginning, from 1 on."""
    start: int
    """Where the text begins in the file, in bytes, as Python's syntax tree counts."""
    end: int
    """Where it ends."""
    operator: str
    """Name of the operator that makes this change; see ``operators``."""
    old: str
    new: str
    text: str = ""
    """The line, as it is, without its indentation."""
    function: str = ""
    """Qualified name of the function that it stands in, as ``Claim.passed``; empty outside of functions."""

    @property
    def name(self) -> str:
        """One line that tells it from all others, by four digits at its end where texts are too long."""
        told = f"{self.file}:{self.line} {self.operator}: {brief(self.old)} -> {brief(self.new)}"
        return f"{told} #{crc32(f'{self.start} {self.new}'.encode()) % 0x10000:04x}"

    def put_into(self, tree: Path) -> bytes:
        """Make the change in that tree; returns what the file was. Raises ``ValueError`` if the text is not there."""
        path = tree / self.file
        before = path.read_bytes()
        if before[self.start : self.end] != self.old.encode():
            raise ValueError(f"{self.file} has something else in line {self.line}")
        rewrite(path, before[: self.start] + self.new.encode() + before[self.end :])
        return before


def brief(text: str) -> str:
    """The text in one line of 50 characters at most."""
    line = " ".join(text.split())
    return line if len(line) <= 50 else f"{line[:47]}..."
