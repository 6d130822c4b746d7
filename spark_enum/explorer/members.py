"""The members of a group: who lives, whom each saw at its last rebalance, and who is about to be notified."""

from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from rebalance_proofs.model.allocation.strategy import Strategy

__all__ = ["COMING", "Ids", "Members", "only", "share"]

T = TypeVar("T")
Ids = frozenset[int]
"""Consumers, numbered from 0 in the order of their client ids."""

COMING = {
    "joins": "{who} joins the group, and those who are in it are notified.",
    "leaves": "{who} is shut down, and the others are notified.",
}
"""Sentences for joining and leaving."""


@dataclass(frozen=True)
class Members:
    """The state of the members, consumer by consumer."""

    lives: tuple[bool, ...]
    view: tuple[Ids, ...]
    """The consumers that it has seen."""
    told: tuple[bool, ...]
    """Whether a notification is under way to it."""

    @classmethod
    def none(cls, consumers: int) -> "Members":
        """A group of ``consumers`` consumers, none of which lives yet."""
        return cls((False,) * consumers, (frozenset(),) * consumers, (False,) * consumers)

    @property
    def ids(self) -> Ids:
        """The live consumers."""
        return frozenset(who for who, lives in enumerate(self.lives) if lives)

    def joined(self, who: int) -> "Members":
        """A consumer joins, and all are notified."""
        lives = _with(self.lives, who, True)
        return replace(self, lives=lives, told=lives)

    def left(self, who: int, told: bool) -> "Members":
        """A consumer leaves, and the others are notified or not."""
        lives = _with(self.lives, who, False)
        return Members(lives, _with(self.view, who, frozenset()), lives if told else _with(self.told, who, False))

    def missed(self, who: int) -> "Members":
        """A notification is lost."""
        return replace(self, told=_with(self.told, who, False))

    def seen_by(self, who: int) -> "Members":
        """A consumer asks for the live ones."""
        return replace(self, view=_with(self.view, who, self.ids), told=_with(self.told, who, False))


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])


@cache
def only(act: str, queue: int | None, queues: int) -> tuple[str | None, ...]:
    """By queue, the act that happens to it, if it happens to this one alone. Cached, as it is asked for often."""
    return tuple(act if one == queue else None for one in range(queues))


@cache
def share(strategy: Strategy, who: int, seen: Ids, queues: int) -> frozenset[int]:
    """The queues that the strategy gives to a consumer that sees these ones; none if it does not see itself."""
    if who not in seen:
        return frozenset()
    every = strategy.queues(queues)
    own = strategy.allocate(f"c{who}", every, [f"c{one}" for one in sorted(seen)])
    return frozenset(every.index(queue) for queue in own or ())
