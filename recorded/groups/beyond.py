"""Parts of a recording that the format does not define; they are counted and skipped."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Beyond:
    """What was skipped in the files of one run."""

    events: Counter[str] = field(default_factory=Counter)
    """Name of an unknown event -> how often it occurs."""
    keys: Counter[str] = field(default_factory=Counter)
    """Unknown key of a known event, as in ``ask has "age"`` -> how often it occurs."""
    missing: list[tuple[int, int, str]] = field(default_factory=list)
    """Places of missing lines, as (number of the next line, ms since 1970, description)."""
