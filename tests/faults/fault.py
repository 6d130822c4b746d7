"""Record of a fault of the checker: a change of its source, the command that has to notice it, and its words."""

from dataclasses import dataclass

CONFORM = "conform"
"""Compares with recorded results of real clients."""


def proving(claims: str) -> str:
    """Command that proves a claim; with a seed, so that runs are repeatable."""
    return f"prove {claims} --seed 1"


def failing(test: str) -> tuple[str, str]:
    """Command that runs one test, with the text by which it reports failure."""
    return f"pytest {test}", f"FAILED {test}"


@dataclass(frozen=True)
class Change:
    """A part of a symbol's code, and its replacement.

    Both are written as ``ast.unparse`` writes them; ``anchors`` finds them in the source.
    """

    symbol: str
    """Qualified name of a function, class or variable, as ``Claim.passed``, or ``claim.Claim.passed``."""
    old: str
    new: str


@dataclass(frozen=True)
class Fault:
    """A mistake; several changes if both sides of a comparison make it alike."""

    name: str
    changes: tuple[Change, ...]
    command: str
    says: str
    """A part of the command's message about this fault that no other fault causes."""


def fault(name: str, symbol: str, old: str, new: str, command: str, says: str) -> Fault:
    """Return a fault in one place."""
    return Fault(name, (Change(symbol, old, new),), command, says)
