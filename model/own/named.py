"""What a user named: a function, an object or a class, in a file or in a module."""

from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from rebalance_proofs.model.own.errors import StrategyError


@dataclass(frozen=True)
class Named:
    """``mine.py:allocate``, ``pkg.mod:Class``."""

    where: str
    """A file's path, or a module."""
    what: str
    """The name in it; with dots for one inside another."""
    source: str = ""
    """What the file has in it, for a machine on which it is not."""

    @property
    def text(self) -> str:
        """As it was typed."""
        return f"{self.where}:{self.what}"

    @property
    def in_file(self) -> bool:
        """It is in a file that is named by its path."""
        return self.where.endswith(".py")

    def carried(self) -> "Named":
        """With what the file has in it."""
        return replace(self, source=Path(self.where).read_text(encoding="utf-8")) if self.in_file else self

    @property
    def hash(self) -> str:
        """SHA-256 of the file that is named, to tell one state of it from another; empty of a module."""
        return sha256(Path(self.where).read_bytes()).hexdigest() if self.in_file else ""


def named(text: str) -> Named:
    """Raises ``StrategyError`` for what names nothing, and for a file that is not there."""
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
