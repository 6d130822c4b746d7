"""What each action leaves open, where the queue has one message."""

from collections.abc import Iterator, Mapping
from itertools import product

import z3

from rebalance_proofs.model.offsets.state import Said, State
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.proofs.offsets.inductive import ACTIONS

__all__ = ["ALONE", "MOVES", "OPEN", "alone", "choices", "told"]

MORE = ("ends", "ends_late", "others", "empty", "records", "sends", "commits", "revokes", "shuts")
"""Where there may be several, and one is looked at."""
OPEN: Mapping[str, tuple[str, ...]] = dict.fromkeys(MORE, ("more",)) | {
    "asks": ("silent", "error", "zero"),
    "ends": ("none", "more"),
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


def alone(action: str, state: State, said: Said) -> z3.BoolRef:
    """What is so of an action because there is no other message."""
    return said.none == z3.Not(state.me.cached) if action == "ends" else YES


def told(said: Mapping[str, bool]) -> dict[str, bool]:
    """What the code has to be told of that: how many of a kind there are it knows itself."""
    return {name: value for name, value in said.items() if name not in ("more", "none")}
