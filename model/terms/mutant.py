"""Mutants: wrong encodings, each of which a named guarantee must reject."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Mutant:
    """A wrong encoding that a named guarantee must reject: its proof must fail.

    The failure is evidence that the guarantee's proof depends on the encoding.
    """

    name: str
    sentence: str
    encoding: Any
    """A wrong encoding, of the same type as the correct one."""
    breaks: str
    """The guarantee that must fail, or one of its claims.

    Examples: ``"disjoint"``, ``"disjoint.without-same-order"``.
    """
