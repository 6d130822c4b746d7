"""What each action leaves open, where the queue has one message."""

from collections.abc import Iterator, Mapping
from itertools import product

import z3

from rebalance_proofs.model.offsets.state import Said, State
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.proofs.offsets.acting import acting

__all__ = ["NOT_ALONE", "alone", "choices", "happening", "moves", "opens", "told"]

MORE = ("ends", "ends_late", "others", "empty", "records", "sends", "commits", "revokes", "shuts")
"""Where there may be several, and one is looked at."""
OPEN: Mapping[str, tuple[str, ...]] = dict.fromkeys(MORE, ("more",)) | {
    "asks": ("silent", "error", "zero"),
    "ends": ("none", "more"),
    "revokes": ("in_set", "more"),
}
"""What each action leaves open, besides offsets; nothing, where it is not named."""
OPEN_IN_ORDER: Mapping[str, tuple[str, ...]] = dict.fromkeys(set(MORE) - {"ends", "others"}, ("more",)) | {
    "asks": ("silent", "error", "zero"),
    "fixes": ("silent", "error", "zero", "older"),
    "revokes": ("in_set", "more", "held", "stale"),
}
"""The same with ordered listeners: a batch is noted behind the last one."""
OF_OTHERS = ("passes", "others", "overtaken")
NOT_ALONE = ("more", "older", "held")
"""What is not so where there is no other message, and of several that are alike the last one comes first."""


def happening(orderly: bool) -> list[str]:
    """What can happen where there is no other message, and a first pull hears its answer at once."""
    return [name for name in acting(orderly) if name not in OF_OTHERS]


def opens(action: str, orderly: bool) -> tuple[str, ...]:
    """What it leaves open, besides offsets."""
    return (OPEN_IN_ORDER if orderly else OPEN).get(action, ())


def choices(action: str, orderly: bool = False) -> Iterator[tuple[tuple[str, bool], ...]]:
    """All that an action can leave open."""
    names = opens(action, orderly)
    for values in product((False, True), repeat=len(names)):
        said = tuple(zip(names, values, strict=True))
        # A broker says one thing.
        if action not in ("asks", "fixes") or sum(values) <= 1:
            yield said


def moves(orderly: bool) -> list[tuple[str, tuple[tuple[str, bool], ...]]]:
    """Every action of a consumer with one message. Where there are several of a kind, the last one comes first."""
    return [
        (action, said)
        for action in happening(orderly)
        for said in choices(action, orderly)
        if not any(dict(said).get(name) for name in NOT_ALONE)
    ]


def alone(action: str, state: State, said: Said, orderly: bool = False) -> z3.BoolRef:
    """What is so of an action because there is no other message."""
    return said.none == z3.Not(state.me.cached) if action == "ends" and not orderly else YES


def told(said: Mapping[str, bool]) -> dict[str, bool]:
    """What the code has to be told of that: how many of a kind there are it knows itself."""
    return {name: value for name, value in said.items() if name not in ("more", "none", "older")}
