"""Sets of groups ("spaces") in which a user-defined strategy is tried, with their guarantees."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.names import BROKERS, NAMINGS, PLAIN, Naming
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.premises.strategies import SAME_SUBSCRIPTION
from rebalance_proofs.model.queues import NOWHERE, MessageQueue, positions_in, to_string
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import AGREED, Groups, Values
from rebalance_proofs.model.worlds.grows import GROWS
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.model.worlds.restarts import RESTARTS
from rebalance_proofs.model.worlds.two_joins import TWO_JOINS
from rebalance_proofs.proofs.allocation.claims import GUARANTEES, WITHOUT
from rebalance_proofs.proofs.allocation.joins import NO_RETURN, ONCE, OWN_ONLY
from rebalance_proofs.proofs.allocation.observed import SAME
from rebalance_proofs.proofs.allocation.stated import name_consumer, name_queue
from rebalance_proofs.proofs.allocation.unread import UNREAD
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.growth.grown import STEADY
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.movement.monotone import MONOTONE, SHRINK
from rebalance_proofs.spark_enum.allocation.space import Configuration, Space
from rebalance_proofs.spark_enum.bounds import LARGEST, Bounds

# Guarantee that a strategy returns only queues of mqAll, and no queue twice.
# RocketMQ assumes this when it turns a result into a set.


def outside_or_twice(group: Group, results: Results) -> str | None:
    """Return a sentence about a foreign or repeated queue in a result; None if there is none."""
    for place, (consumer, result) in enumerate(zip(group.consumers, results, strict=True)):
        taken, known = set(result), set(consumer.mq_all)
        if not taken <= known:
            strange = next(queue for queue in result if queue not in known)
            who = name_consumer(group, place)
            return f"The result of {who} contains {to_string(strange)}, which is not in its mqAll."
        if len(taken) < len(result):
            twice = next(queue for number, queue in enumerate(result) if queue in result[:number])
            return f"The result of {name_consumer(group, place)} contains {name_queue(group, twice)} twice."
    return None


INSIDE = Guarantee(
    name="inside",
    sentence="Each result contains only queues of mqAll, and none twice",
    source="https://github.com/apache/rocketmq/blob/develop/client/src/main/java/org/apache/rocketmq/client/consumer/AllocateMessageQueueStrategy.java",
    obligations=always(),
    violated=lambda group: smt.BoolVal(False),
    violation=outside_or_twice,
)
"""The guarantee for the concrete results of a user-defined strategy.

The claim ``sublist`` is about the encodings of RocketMQ's strategies: it also requires the order of mqAll.
"""


# The guarantee that two strategies give each consumer the same list, for ``--same-as``.


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return a group whose n consumers run the first strategy; its reference runs the second one.

    The reference is a second group of the same consumers and queues, for comparison.
    """
    mine, other = (AGREED.group((strategy,), n, q, values) for strategy in strategies)
    return replace(mine, reference=Group(mine.queues, other.consumers))


SAME_AS = replace(AGREED, name="same-as", group=group, subjects=2)


def violation(group: Group, results: Results) -> str | None:
    """Return a sentence about the first consumer whose two lists differ; None if there is none.

    Lists in a different order differ, too.
    """
    for place, (one, other) in enumerate(zip(results, group.compared_with.results(), strict=True)):
        if list(one) != list(other):
            mine, theirs = (side.consumers[place].strategy.name for side in (group, group.compared_with))
            here, there = (_places(group, taken) for taken in (one, other))
            return f"{name_consumer(group, place)} gets {here} from {mine}, and {there} from {theirs}."
    return None


def _places(group: Group, taken: Sequence[MessageQueue]) -> str:
    found = positions_in(group.queues, taken)
    return f"[{', '.join('a queue that is not there' if one == NOWHERE else str(one) for one in found)}]"


SAME_LISTS = replace(SAME, sentence="Both strategies give each consumer the same list", violation=violation)


CHANGES: tuple[tuple[Groups, tuple[Guarantee, ...]], ...] = (
    (JOINS, (MONOTONE, SHRINK)),
    (TWO_JOINS, (ONCE, NO_RETURN)),
    (RESTARTS, (OWN_ONLY,)),
    (GROWS, (STEADY,)),
)
"""Guarantees for groups that change: a join, two joins, a restart, more queues.

Closed forms for the number of moved queues are left out: each applies to one built-in strategy only.
"""

WORLDS: dict[str, tuple[Groups, tuple[Guarantee, ...]]] = {
    AGREED.name: (AGREED, (INSIDE, *GUARANTEES)),
    **{world.name: (world, (*WITHOUT, *((UNREAD,) if world is SAME_SUBSCRIPTION else ()))) for world in PREMISES},
    **{world.name: (world, guarantees) for world, guarantees in CHANGES},
}
"""Every world with its guarantees, by name, in display order.

A world is a set of groups with one property: all consumers see the same lists, an assumption is dropped, or the group
changes.
"""


class Numbered(Protocol):
    """A numbered set of groups."""

    @property
    def groups(self) -> int:
        """The number of groups."""

    def decode(self, number: int) -> Configuration:
        """Return the group with that number, from 0 on."""

    def __iter__(self) -> Iterator[Configuration]:
        """Yield all groups in the order of their numbers."""


@dataclass(frozen=True)
class OwnSpace:
    """The groups of one world, named with one kind of names, up to a maximum size."""

    world: Groups
    guarantees: tuple[Guarantee, ...]
    naming: Naming
    bound: tuple[int, int]
    """The largest numbers (consumers, queues)."""
    other: Strategy | None = None
    """The second strategy, if groups have two."""
    beside: Asked | None = None
    """The process that runs the second strategy, if that is user-defined too."""

    @property
    def name(self) -> str:
        """Name of the world and of the kind of names: ``agreed/plain``."""
        return f"{self.world.name}/{self.naming.name}"

    @property
    def space(self) -> Numbered:
        """The groups, numbered from 0."""
        return Space(self.world, *self.bound)

    def groups(self, strategy: Strategy, configurations: Sequence[Configuration]) -> list[Group]:
        """Return the groups of these configurations; their consumers run the strategy."""
        both = (strategy, self.other)[: self.world.subjects]
        subjects = tuple(one for one in both if one is not None)
        return [
            self.naming.named(self.world.group(subjects, one.consumers, one.queues, one.values))
            for one in configurations
        ]

    def smaller(self, consumers: int, queues: int) -> "OwnSpace":
        """Return the small groups of the space, for checks that take long."""
        return replace(self, bound=(min(consumers, self.bound[0]), min(queues, self.bound[1])))

    @property
    def calls(self) -> int:
        """The approximate number of calls of the strategy for all groups of the space."""
        stages = {JOINS.name: 2, TWO_JOINS.name: 3, RESTARTS.name: 3, GROWS.name: 2}.get(self.world.name, 1)
        return stages * sum(n * self.world.groups(n, q) for n, q in Space(self.world, *self.bound).sizes)


@dataclass(frozen=True)
class Extent:
    """The groups that a check tries: bounds and kinds of names."""

    bounds: Bounds = field(default_factory=Bounds)
    thorough: bool = False
    """True to try the groups of all worlds with every kind of names."""

    def of(self, world: Groups, naming: Naming) -> tuple[int, int] | None:
        """Return the largest (consumers, queues) of a world with this kind of names.

        None if the world is not tried with these names.
        """
        if self.thorough:
            return self.bounds.swept(world)
        if world.name in (AGREED.name, SAME_AS.name):
            most = self.bounds.swept(world)
            return most if naming in FAR else (min(SOME, most[0]), min(SOME, most[1]))
        if naming not in FAR:
            return None
        few = FEW_JOINS if world is JOINS else self.bounds.groups if naming is PLAIN else FEW
        return replace(self.bounds, groups=min(few, self.bounds.groups)).swept(world)


FAR, SOME = (PLAIN, BROKERS), 32
"""Kinds of names that are used for the largest groups; bound on both numbers for other names.

``thorough`` ignores this limit.
"""
FEW, FEW_JOINS = 3_000, 2_500
"""Maximum number of groups of a world with names other than the plain ones.

It applies to worlds that drop an assumption or change the group. The second number is for joins.
"""


def spaces(extent: Extent) -> tuple[OwnSpace, ...]:
    """Return all spaces of the extent, by world in display order."""
    found = []
    for world, guarantees in WORLDS.values():
        other = AVERAGELY if world.subjects == 2 else None
        for naming in NAMINGS:
            bound = extent.of(world, naming)
            if bound:
                found.append(OwnSpace(world, guarantees, naming, bound, other))
    return tuple(found)


def compared(extent: Extent, other: Strategy, beside: Asked | None = None) -> tuple[OwnSpace, ...]:
    """Return the spaces in which two strategies get the same lists and are compared.

    ``other`` is the second strategy, and ``beside`` its process if it is user-defined.
    """
    bounds = ((naming, extent.of(SAME_AS, naming)) for naming in NAMINGS)
    return tuple(OwnSpace(SAME_AS, (SAME_LISTS,), naming, bound, other, beside) for naming, bound in bounds if bound)


class UnknownGroup(UsageError):
    """Error for a ``--group`` key that names no group. The message is one sentence."""


def space_of(key: str, other: Strategy | None = None, beside: Asked | None = None) -> tuple[OwnSpace, Configuration]:
    """Return the space and the group that a ``--group`` key names.

    Examples of keys: ``agreed/plain/2x3``, ``join/plain/3x2/0``. ``other`` is the strategy of ``--same-as``, and
    ``beside`` its process. Raises ``UnknownGroup`` for any other key.
    """
    found = re.fullmatch(r"([a-z-]+)/([a-z]+)/(\d{1,3})x(\d{1,3})(?:/(\d+(?:\.\d+)*))?", key)
    known = {**WORLDS, SAME_AS.name: (SAME_AS, (SAME_LISTS,))}
    named = {naming.name: naming for naming in NAMINGS}
    if not found or found[1] not in known or found[2] not in named:
        raise UnknownGroup(f"--group {key!r} is not the name of a group; copy one from the answer of `rebalance check`")
    world, guarantees = known[found[1]]
    n, q = int(found[3]), int(found[4])
    values = tuple(map(int, found[5].split("."))) if found[5] else ()
    radices = tuple(world.radices(n, q)) if 0 < n <= LARGEST and 0 < q <= LARGEST else None
    inside = radices is not None and len(radices) == len(values) and all(map(int.__lt__, values, radices))
    if not inside or not world.admits(n, q, values):
        raise UnknownGroup(f"--group {key!r} is not one of the groups {world.name}")
    second = other if world is SAME_AS else AVERAGELY if world.subjects == 2 else None
    if world is SAME_AS and not second:
        raise UnknownGroup(f"--group {key!r} compares two strategies; add --same-as")
    return OwnSpace(world, guarantees, named[found[2]], (n, q), second, beside), Configuration(n, q, values)
