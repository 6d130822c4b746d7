"""The name that a user gave: of a function, an object or a class, in a file or in a module."""

from dataclasses import dataclass, replace
from pathlib import Path

from rebalance_proofs.model.own.errors import StrategyError


@dataclass(frozen=True)
class Named:
    """The parsed name: ``mine.py:allocate``, ``pkg.mod:Class``."""

    where: str
    """The path of a file, or the name of a module."""
    what: str
    """The name inside it, with dots for nested ones."""
    source: str = ""
    """The file's content, for a machine that does not have the file."""

    @property
    def text(self) -> str:
        """The name as it was typed."""
        return f"{self.where}:{self.what}"

    @property
    def in_file(self) -> bool:
        """Whether it is in a file that is named by its path."""
        return self.where.endswith(".py")

    def carried(self) -> "Named":
        """A copy that carries the file's content."""
        return replace(self, source=Path(self.where).read_text(encoding="utf-8")) if self.in_file else self

    @property
    def hash(self) -> str:
        """SHA-256 of the named file, to tell its versions apart; empty for a module."""
        from hashlib import sha256  # which the child, that starts often, never needs

        return sha256(Path(self.where).read_bytes()).hexdigest() if self.in_file else ""


def named(text: str) -> Named:
    """Parse a name. Raises ``StrategyError`` for a text that is no name, and for a file that is not there."""
    where, colon, what = text.rpartition(":")
    if not colon and text.endswith(".py"):
        where, what = text, "allocate"
    if not where or not all(part.isidentifier() for part in what.split(".")):
        raise StrategyError(f"{text!r} names no strategy; write mine.py:allocate or package.module:Class")
    found = Named(where, what)
    if found.in_file:
        _require_readable(Path(where))
    elif not all(part.isidentifier() for part in where.split(".")):
        raise StrategyError(f"{where!r} is neither a file that ends in .py nor the name of a module")
    elif "." in where and Path(where).is_file():
        raise StrategyError(f"{where!r} is a file that does not end in .py")
    return found


def _require_readable(path: Path) -> None:
    try:
        there = path.is_file()
        if there:
            path.open("rb").close()
    except OSError as error:
        raise StrategyError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    if not there:
        raise StrategyError(f"there is no file {str(path)!r}")
