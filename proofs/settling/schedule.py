"""What happens around a client's rebalance thread, action by action."""

from collections.abc import Iterator, Mapping
from itertools import product

from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.settling.inductive import ACTIONS

__all__ = ["MOVES", "OBSERVES", "OPEN", "OTHERS", "THREAD", "choices", "happens", "told"]

THREAD, OTHERS = 0, 1
"""Who does something: the rebalance thread, or anybody else."""
OBSERVES = "observes"
"""Somebody looks what the client's tables are: nobody's action, and the last one."""
OPEN = {"ends": ("seen", "balanced"), "fails": ("balanced",), "counts": ("more",)}
"""What each action leaves open; nothing, where it is not named."""
BY_OTHERS = ("changes", "loses", "notifies", "stirs", "counts")


def happens(action: str, *said: bool) -> Happens:
    """With what the action leaves open; raises ``ValueError`` where it leaves more or less open."""
    who = OTHERS if action in (*BY_OTHERS, OBSERVES) else THREAD
    return Happens(who, action, tuple(zip(OPEN.get(action, ()), said, strict=True)))


def choices(action: str) -> Iterator[tuple[tuple[str, bool], ...]]:
    """All that an action can leave open."""
    names = OPEN.get(action, ())
    for values in product((False, True), repeat=len(names)):
        yield tuple(zip(names, values, strict=True))


def told(said: Mapping[str, bool]) -> dict[str, bool]:
    """What the code has to be told of that: how many wake-ups are under way it knows itself."""
    return {name: value for name, value in said.items() if name != "more"}


MOVES = tuple(happens(action, *(value for _, value in said)) for action in ACTIONS for said in choices(action))
"""All of them."""
