"""A fault of the checker: a change of its source, the command that has to notice it, and in what words."""

from dataclasses import dataclass

CONFORM = "conform"
"""Compares with what real clients were recorded to do."""


def proving(claims: str) -> str:
    """Proves a claim; with a seed, so that runs repeat."""
    return f"prove {claims} --seed 1"


@dataclass(frozen=True)
class Change:
    """One text of one file, and what stands in its place."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Fault:
    """One mistake. It takes several changes where both sides of a comparison make it alike."""

    name: str
    changes: tuple[Change, ...]
    command: str
    says: str
    """A part of what the command says about this fault, and about no other."""


def fault(name: str, file: str, old: str, new: str, command: str, says: str) -> Fault:
    """A mistake in one place."""
    return Fault(name, (Change(file, old, new),), command, says)
