"""The user's name of a strategy: a function, an object or a class, in a file or a module."""

from dataclasses import dataclass, replace
from pathlib import Path

from rebalance_proofs.errors import UsageError


class StrategyError(UsageError):
    """The file, function or class does not exist, or cannot be loaded or called.

    The error's text is one sentence.
    """


@dataclass(frozen=True)
class Named:
    """A user's name of a strategy, parsed: ``mine.py:allocate``, ``pkg.mod:Class``."""

    where: str
    """The path of a file, or the name of a module."""
    what: str
    """The name inside the file or module, with dots for nested names."""
    source: str = ""
    """The file's content, for a machine without the file."""
    judges: bool = False
    """True for a property, a function that judges the shares of a group."""

    @property
    def text(self) -> str:
        """The name as the user typed it."""
        return f"{self.where}:{self.what}"

    @property
    def in_file(self) -> bool:
        """True if the strategy is in a file that is given by its path, not in a module."""
        return self.where.endswith(".py")

    def carried(self) -> "Named":
        """Return a copy that includes the file's content."""
        return replace(self, source=Path(self.where).read_text(encoding="utf-8")) if self.in_file else self

    @property
    def hash(self) -> str:
        """The SHA-256 of the named file, which identifies its version; empty for a module."""
        from hashlib import sha256  # imported here because the child, which starts often, never needs it

        return sha256(Path(self.where).read_bytes()).hexdigest() if self.in_file else ""


def named(text: str) -> Named:
    """Parse a user's name of a strategy.

    Raises ``StrategyError`` for a text that is not a name, and for a missing file.
    """
    where, colon, what = text.rpartition(":")
    if not colon and text.endswith(".py"):
        where, what = text, "allocate"
    if not where or not all(part.isidentifier() for part in what.split(".")):
        raise StrategyError(
            f"{text!r} is not the name of a strategy; write it like mine.py:allocate or package.module:Class"
        )
    found = Named(where, what)
    if found.in_file:
        _require_readable(Path(where))
    elif not all(part.isidentifier() for part in where.split(".")):
        raise StrategyError(
            f"{where!r} is neither a Python file nor the name of a module; write it like mine.py or package.module"
        )
    elif "." in where and Path(where).is_file():
        raise StrategyError(f"{where!r} is not a Python file: its name has to end with .py")
    return found


def _require_readable(path: Path) -> None:
    try:
        there = path.is_file()
        if there:
            path.open("rb").close()
    except OSError as error:
        raise StrategyError(f"cannot read {str(path)!r}: {error.strerror}") from None
    if not there:
        raise StrategyError(f"the file {str(path)!r} does not exist")
