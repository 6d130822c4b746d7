"""Wrong terms, of which a named guarantee has to take notice."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Mutant:
    """A wrong encoding that a named guarantee has to notice: evidence that the proof of that guarantee has teeth."""

    name: str
    sentence: str
    encoding: Any
    """Of the form of the right one."""
    breaks: str
    """The guarantee that has to fail, e.g. ``"disjoint"``; or one claim of it: ``"disjoint.without-same-order"``."""
