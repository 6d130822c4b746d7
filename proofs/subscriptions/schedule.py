"""What happens to a topic's subscription at a broker, action by action."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.subscriptions.inductive import ACTIONS

__all__ = ["MEMBER", "MOVES", "OPEN", "OTHERS", "choices", "happens", "told"]

MEMBER, OTHERS = 0, 1
"""Who does something: the member, or anybody else."""
OPEN = {"others": ("topic", "takes", "newer"), "prints": ("same",), "pulled": ("topic", "takes", "newer")}
"""What each action leaves open; nothing, where it is not named. ``newer``: the version is the present time, and not the
one at which the member was started."""
BY_OTHERS = (*OPEN, "forgets")


def happens(action: str, *said: bool) -> Happens:
    """With what the action leaves open; raises ``ValueError`` where it leaves more or less open."""
    who = OTHERS if action in BY_OTHERS else MEMBER
    return Happens(who, action, tuple(zip(OPEN.get(action, ()), said, strict=True)))


def choices(action: str) -> Iterator[tuple[tuple[str, bool], ...]]:
    """All that an action can leave open."""
    names = OPEN.get(action, ())
    for values in product((False, True), repeat=len(names)):
        yield tuple(zip(names, values, strict=True))


def told(said: Mapping[str, bool], now: Any) -> dict[str, Any]:
    """The same by the names of ``Said``. Who has the same subscriptions, and the same groups, has the same
    fingerprint."""
    given: dict[str, Any] = {name: said.get(name, False) for name in ("topic", "takes")}
    same = said.get("same", given["topic"] and given["takes"])
    return given | {"same": same, "version": now if said.get("newer") else 0}


MOVES = tuple(happens(action, *(value for _, value in said)) for action in ACTIONS for said in choices(action))
"""All of them."""
