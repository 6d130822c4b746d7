"""Members of a group: live consumers, their last view of the group, pending notifications."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.machines.settling.actions import CLIENTS
from rebalance_proofs.model.transition.generations import Generation

T = TypeVar("T")
Ids = frozenset[int]
"""Set of consumers, numbered from 0 in the order of their client ids."""

COMING = {
    "joins": "{who} joins the group, and the broker notifies the other members.",
    "leaves": "{who} shuts down, and the broker notifies the other members.",
}
"""Sentences for traces about joining and leaving."""


@dataclass(frozen=True)
class Members:
    """The state of the group's members, with one entry per consumer in each field."""

    lives: tuple[bool, ...]
    view: tuple[Ids, ...]
    """For each consumer, the consumers in the broker's answer to its last member query."""
    told: tuple[bool, ...]
    """For each consumer, whether a notification to it is in flight."""

    @classmethod
    def none(cls, consumers: int) -> "Members":
        """Return a group of ``consumers`` consumers in which no consumer has joined yet."""
        return cls((False,) * consumers, (frozenset(),) * consumers, (False,) * consumers)

    @property
    def ids(self) -> Ids:
        """The live consumers."""
        return frozenset(who for who, lives in enumerate(self.lives) if lives)

    def joined(self, who: int) -> "Members":
        """Return the members after the consumer ``who`` has joined and all members are notified."""
        lives = _with(self.lives, who, True)
        return replace(self, lives=lives, told=lives)

    def left(self, who: int, told: bool) -> "Members":
        """Return the members after ``who`` has left; ``told``: whether the others are notified."""
        lives = _with(self.lives, who, False)
        return Members(lives, _with(self.view, who, frozenset()), lives if told else _with(self.told, who, False))

    def missed(self, who: int) -> "Members":
        """Return the members after the notification in flight to ``who`` is lost."""
        return replace(self, told=_with(self.told, who, False))

    def seen_by(self, who: int) -> "Members":
        """Return the members after ``who`` has queried the live members."""
        return replace(self, view=_with(self.view, who, self.ids), told=_with(self.told, who, False))


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])


@cache
def only(act: str, queue: int | None, queues: int) -> tuple[str | None, ...]:
    """Return the act of each queue: ``act`` for the queue with index ``queue``, None for others.

    The result is cached, because it is needed often.
    """
    return tuple(act if one == queue else None for one in range(queues))


@cache
def share(strategy: Strategy, who: int, seen: Ids, queues: int) -> frozenset[int]:
    """Return the queues that the strategy gives to consumer ``who``, which sees ``seen``.

    Empty if the consumer does not see itself.
    """
    if who not in seen:
        return frozenset()
    every = strategy.queues(queues)
    own = strategy.allocate(f"c{who}", every, [f"c{one}" for one in sorted(seen)])
    return frozenset(every.index(queue) for queue in own or ())


# Agreement of a group on the owners of its queues, and the claims that guarantee it.


def agreed_owner(strategy: Strategy, queues: int, members: Members, queue: int) -> int | None:
    """Return the live consumer that gets the queue if all live consumers see each other.

    None if no consumer is alive.
    """
    owners = [who for who in members.ids if queue in share(strategy, who, members.ids, queues)]
    return owners[0] if owners else None


def agreement_claims(strategy: Strategy, generations: Collection[Generation]) -> tuple[str, ...]:
    """Return ids of claims that together guarantee soon agreement, for groups of all sizes.

    ``generations`` are the client generations that a model represents; their rebalance threads differ.
    """
    settling = [
        f"settling.{client.name}.settles"
        for client in CLIENTS
        if any(generation in client.generations for generation in generations)
    ]
    return (*settling, f"allocation.{strategy.name}.disjoint", f"allocation.{strategy.name}.covers")
