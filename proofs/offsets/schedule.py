"""What each action leaves open, where the queue has one message."""

from collections.abc import Iterator, Mapping
from itertools import product

import z3

from rebalance_proofs.model.offsets.state import Said, State
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.proofs.offsets.acting import acting

__all__ = ["alone", "choices", "happening", "moves", "not_alone", "opens", "told"]

MORE = ("ends", "ends_late", "others", "empty", "records", "sends", "commits", "revokes", "shuts")
"""Where there may be several, and one is looked at."""
OPEN: Mapping[str, tuple[str, ...]] = dict.fromkeys(MORE, ("more",)) | {
    "asks": ("silent", "error", "zero", "replica"),
    "ends": ("none", "more", "half"),
    "ends_late": ("more", "half"),
    "returns_interrupted": ("half",),
    "commits": ("more", "replica"),
    "revokes": ("in_set", "more"),
    "suspends": ("zero",),
    "retires": ("more",),
}
"""What each action leaves open, besides offsets; nothing, where it is not named."""
OPEN_IN_ORDER: Mapping[str, tuple[str, ...]] = dict.fromkeys(set(MORE) - {"ends", "others"}, ("more",)) | {
    "asks": ("silent", "error", "zero"),
    "fixes": ("silent", "error", "zero", "older"),
    "ends": ("half",),
    "ends_late": ("more", "half"),
    "returns_interrupted": ("half",),
    "revokes": ("in_set", "more", "held", "stale"),
    "suspends": ("zero",),
    "retires": ("more", "held", "stale"),
}
"""The same with ordered listeners: a batch is noted behind the last one."""
OPEN_BY_LOOP: Mapping[str, tuple[str, ...]] = {
    "asks": ("silent", "error", "zero"),
    "revokes": ("silent", "held", "more"),
    "clears": ("held", "more"),
    "sends": ("more",),
    "commits": ("more",),
    "shuts": ("more",),
}
"""The same by one loop, which has one batch at a time."""
OPENS = {Way.CONCURRENTLY: OPEN, Way.ORDERLY: OPEN_IN_ORDER, Way.BY_LOOP: OPEN_BY_LOOP}
OF_OTHERS = ("passes", "others", "others_fail", "overtaken", "pulls_late", "passes_late", "others_late")
NOT_ALONE = ("more", "older", "held")
"""What is not so where there is no other message, and of several that are alike the last one comes first."""


def not_alone(way: Way) -> tuple[str, ...]:
    """The same by way: a loop can be busy with another message, of which nothing else is kept."""
    return tuple(name for name in NOT_ALONE if name != "held" or way is not Way.BY_LOOP)


def happening(way: Way) -> list[str]:
    """What can happen where there is no other message, and a first pull hears its answer at once."""
    return [name for name in acting(way) if name not in OF_OTHERS]


def opens(action: str, way: Way) -> tuple[str, ...]:
    """What it leaves open, besides offsets."""
    return OPENS[way].get(action, ())


def choices(action: str, way: Way) -> Iterator[tuple[tuple[str, bool], ...]]:
    """All that an action can leave open."""
    names = opens(action, way)
    for values in product((False, True), repeat=len(names)):
        said = tuple(zip(names, values, strict=True))
        # A broker says one thing.
        if action not in ("asks", "fixes") or sum(values) <= 1:
            yield said


def moves(way: Way) -> list[tuple[str, tuple[tuple[str, bool], ...]]]:
    """Every action of a consumer with one message. Where there are several of a kind, the last one comes first."""
    return [
        (action, said)
        for action in happening(way)
        for said in choices(action, way)
        if not any(dict(said).get(name) for name in not_alone(way))
    ]


def alone(action: str, state: State, said: Said, way: Way) -> z3.BoolRef:
    """What is so of an action because there is no other message; and a pull is answered before its consumer is shut
    down, which a proof does without."""
    if action == "ends" and way is Way.CONCURRENTLY:
        return said.none == z3.Not(state.me.cached)
    return z3.Not(state.me.closed) if action in ("pulls", "empty") and way is Way.BY_LOOP else YES


def told(said: Mapping[str, bool]) -> dict[str, bool]:
    """What the code has to be told of that: how many of a kind there are it knows itself."""
    return {name: value for name, value in said.items() if name not in ("more", "none", "older")}
