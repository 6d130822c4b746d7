"""What two consumers of one queue do, action by action."""

from collections.abc import Iterator, Mapping
from itertools import product

from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.ordered.inductive import ACTIONS

__all__ = ["RESTARTS", "choices", "happens", "told"]

RESTARTS = "restarts"
"""The broker restarts: nobody's action."""
OPEN = {
    "renews": ("heard",),
    "locks": ("heard",),
    "revokes": ("in_set",),
    "adds": ("found",),
    "returned": ("more",),
    "returns": ("more",),
    "starts": ("more",),
    "ends": ("more",),
    "interrupts": ("more",),
}
"""What each action leaves open; nothing, where it is not named."""


def happens(who: int, action: str, *said: bool) -> Happens:
    """With what the action leaves open; raises ``ValueError`` where it leaves more or less open."""
    return Happens(who, action, tuple(zip(OPEN.get(action, ()), said, strict=True)))


def choices(action: str) -> Iterator[tuple[tuple[str, bool], ...]]:
    """All that an action can leave open."""
    names = OPEN.get(action, ())
    for values in product((True, False), repeat=len(names)):
        yield tuple(zip(names, values, strict=True))


def told(action: str, said: Mapping[str, bool]) -> dict[str, bool]:
    """What the code has to be told of that: how many returns of a lock are under way it knows itself."""
    known = ("returned", "returns")
    return {} if action in known else {name: said[name] for name in OPEN.get(action, ())}


assert set(OPEN) <= set(ACTIONS)
