"""The members of a group: who lives, whom each has seen at its last rebalance, and who is to be told of a change."""

from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from rebalance_proofs.model.allocation.strategy import Strategy

__all__ = ["COMING", "Ids", "Members", "only", "share"]

T = TypeVar("T")
Ids = frozenset[int]
"""Consumers, from 0; their client ids are in that order."""

COMING = {
    "joins": "{who} joins the group, and those who are in it are notified.",
    "leaves": "{who} is shut down, and the others are notified.",
}
"""What people are told of that."""


@dataclass(frozen=True)
class Members:
    """By consumer."""

    lives: tuple[bool, ...]
    view: tuple[Ids, ...]
    """Whom it has seen."""
    told: tuple[bool, ...]
    """A notification is under way to it."""

    @classmethod
    def none(cls, consumers: int) -> "Members":
        """So many consumers, of which none lives yet."""
        return cls((False,) * consumers, (frozenset(),) * consumers, (False,) * consumers)

    @property
    def ids(self) -> Ids:
        """Who lives."""
        return frozenset(who for who, lives in enumerate(self.lives) if lives)

    def joined(self, who: int) -> "Members":
        """Somebody comes, and all are told."""
        lives = _with(self.lives, who, True)
        return replace(self, lives=lives, told=lives)

    def left(self, who: int, told: bool) -> "Members":
        """Somebody goes, and the others are told, or not."""
        lives = _with(self.lives, who, False)
        return Members(lives, _with(self.view, who, frozenset()), lives if told else _with(self.told, who, False))

    def missed(self, who: int) -> "Members":
        """A notification is lost."""
        return replace(self, told=_with(self.told, who, False))

    def seen_by(self, who: int) -> "Members":
        """It asks who lives."""
        return replace(self, view=_with(self.view, who, self.ids), told=_with(self.told, who, False))


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])


@cache
def only(act: str, queue: int | None, queues: int) -> tuple[str | None, ...]:
    """By queue what happens to it, where it happens to this one alone. It is asked for often, and is one object."""
    return tuple(act if one == queue else None for one in range(queues))


@cache
def share(strategy: Strategy, who: int, seen: Ids, queues: int) -> frozenset[int]:
    """The queues that the strategy gives to a consumer who has seen these; none, where it is not among them."""
    if who not in seen:
        return frozenset()
    every = strategy.queues(queues)
    own = strategy.allocate(f"c{who}", every, [f"c{one}" for one in sorted(seen)])
    return frozenset(every.index(queue) for queue in own or ())
