"""What a recording has that its format does not: told with counts, and left out."""

from collections import Counter
from dataclasses import dataclass, field

__all__ = ["Beyond"]


@dataclass
class Beyond:
    """What was left out of the files of one run."""

    events: Counter[str] = field(default_factory=Counter)
    """Names of events that are not known -> how many there were."""
    keys: Counter[str] = field(default_factory=Counter)
    """Keys of known events that are not known, as in ``ask has "age"`` -> how often they came."""
    missing: list[tuple[int, int, str]] = field(default_factory=list)
    """Lines before which one is missing: number, milliseconds since 1970, and a sentence."""
