"""What each action leaves open."""

from collections.abc import Iterator, Mapping
from itertools import product

__all__ = ["OPEN", "choices"]

OPEN: Mapping[str, tuple[str, ...]] = {
    "adds": ("silent",),
    "revokes": ("in_set", "stays"),
    "takes": ("old", "later"),
    "sends": ("old", "later"),
    "answers": ("old",),
    "illegal": ("old",),
    "repairs": ("old",),
}
"""What each action leaves open, besides times; nothing, where it is not named."""


def choices(action: str) -> Iterator[tuple[tuple[str, bool], ...]]:
    """All that an action can leave open."""
    names = OPEN.get(action, ())
    for values in product((False, True), repeat=len(names)):
        yield tuple(zip(names, values, strict=True))
