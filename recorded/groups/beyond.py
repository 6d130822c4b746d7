"""Parts of a recording that its format does not define: counted and skipped."""

from collections import Counter
from dataclasses import dataclass, field

__all__ = ["Beyond"]


@dataclass
class Beyond:
    """Skipped parts of the files of one run."""

    events: Counter[str] = field(default_factory=Counter)
    """Name of an unknown event -> number of events."""
    keys: Counter[str] = field(default_factory=Counter)
    """Unknown key of a known event, as in ``ask has "age"`` -> number of occurrences."""
    missing: list[tuple[int, int, str]] = field(default_factory=list)
    """Lines after a missing line: (line number, milliseconds since 1970, sentence)."""
