"""What each action leaves open, where the queue has one message."""

from collections.abc import Iterator, Mapping
from itertools import product

from rebalance_proofs.proofs.offsets.inductive import ACTIONS

__all__ = ["MOVES", "choices", "told"]

MORE = ("ends", "ends_late", "others", "empty", "records", "sends", "commits", "revokes", "shuts")
"""Where there may be several, and one is looked at."""
OPEN: Mapping[str, tuple[str, ...]] = dict.fromkeys(MORE, ("more",)) | {
    "asks": ("silent", "error", "zero"),
    "revokes": ("in_set", "more"),
}
"""What each action leaves open, besides offsets; nothing, where it is not named."""
ALONE = [name for name in ACTIONS if name not in ("passes", "others")]
"""What can happen where there is no other message."""


def choices(action: str) -> Iterator[tuple[tuple[str, bool], ...]]:
    """All that an action can leave open."""
    names = OPEN.get(action, ())
    for values in product((False, True), repeat=len(names)):
        said = tuple(zip(names, values, strict=True))
        # A broker says one thing.
        if action != "asks" or sum(values) <= 1:
            yield said


MOVES = tuple((action, said) for action in ALONE for said in choices(action) if ("more", True) not in said)
"""Every action of a consumer with one message. Where there are several of a kind, the last one comes first."""


def told(said: Mapping[str, bool]) -> dict[str, bool]:
    """What the code has to be told of that: how many of a kind are under way it knows itself."""
    return {name: value for name, value in said.items() if name != "more"}
