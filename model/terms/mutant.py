"""Mutants: wrong encodings, each of which a named guarantee has to notice."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Mutant:
    """A wrong encoding that a named guarantee has to notice: evidence that its proof depends on the encoding."""

    name: str
    sentence: str
    encoding: Any
    """Has the type of the right encoding."""
    breaks: str
    """The guarantee that has to fail, e.g. ``"disjoint"``; or one claim of it: ``"disjoint.without-same-order"``."""
