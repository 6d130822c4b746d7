"""Results of a user-defined strategy in some groups, computed with one process, without Spark."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from rebalance_proofs.model.group import Consumer, Group, Results, client_ids
from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.call import NULL, THROWS, Call, Gave, Outcome, Refused, Worker
from rebalance_proofs.model.queues import MessageQueue, one_broker, positions_in
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.movement import lemmas as blocks
from rebalance_proofs.proofs.movement import lemmas as joined
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.spaces import OwnSpace
from rebalance_proofs.spark_enum.results import Wrong

# Queue positions that a user-defined strategy returns, for comparison with proofs.

NO_LIST = (-1,)
"""Placeholder for the positions if the call returned no list."""


def answered(worker: Worker) -> Callable[[int, int], tuple[tuple[int, ...], ...]]:
    """Return a function: numbers of queues and consumers -> each consumer's queue positions.

    The positions are those of the queues that the strategy returns. All consumers see the same lists.
    """

    def taken(q: int, c: int) -> tuple[tuple[int, ...], ...]:
        queues, ids = one_broker(q), client_ids(c)
        outcomes = worker.answers([Call("group", one, queues, ids) for one in ids])
        found = tuple(map(_positions, [queues] * len(outcomes), outcomes))
        return found + (NO_LIST,) * (c - len(found))

    return taken


def _positions(queues: tuple[MessageQueue, ...], outcome: Outcome) -> tuple[int, ...]:
    if not isinstance(outcome, Gave) or None in outcome.queues:
        return NO_LIST
    return tuple(positions_in(queues, [queue for queue in outcome.queues if queue is not None]))


RETURNS = "returns"
"""The name of the requirement that every call returns a list of queues.

It is listed beside the guarantees.
"""


@dataclass
class Movement:
    """Numbers of moved queues, summed over all joins that were tried."""

    queues: int = 0
    changed: int = 0
    """The number of queues that changed owner."""
    needed: int = 0
    """The number of queues that must change owner for an even distribution.

    It is the joiner's smallest share.
    """
    by_avg: int = 0
    """The number of queues that AVG would move."""

    def merge(self, other: "Movement") -> None:
        """Add the numbers of another part of the joins."""
        self.queues += other.queues
        self.changed += other.changed
        self.needed += other.needed
        self.by_avg += other.by_avg


@dataclass
class Tried:
    """Results of a strategy in some groups of a space."""

    groups: int = 0
    """The number of groups that were tried."""
    refused: int = 0
    """The number of groups with a call that returned no list of queues."""
    unjudged: int = 0
    """The number of ``refused`` groups in which, for that reason, no other guarantee is checked."""
    broken: dict[str, Wrong] = field(default_factory=dict)
    """For each broken guarantee, or ``RETURNS``, the smallest group that violates it."""
    movement: Movement = field(default_factory=Movement)

    def breaks(self, name: str, configuration: Configuration, sentence: str) -> None:
        """Record a group that violates the guarantee."""
        wrong = Wrong((configuration.consumers, configuration.queues), configuration.values, sentence)
        self.broken[name] = min(wrong, self.broken.get(name, wrong))

    def merge(self, other: "Tried") -> None:
        """Add the results of other groups of the same space."""
        self.groups += other.groups
        self.refused += other.refused
        self.unjudged += other.unjudged
        for name, wrong in other.broken.items():
            self.broken[name] = min(wrong, self.broken.get(name, wrong))
        self.movement.merge(other.movement)


def try_out(
    space: OwnSpace, asked: Asked, configurations: Sequence[Configuration], known: Collection[str] = ()
) -> Tried:
    """Call the strategy in these groups and check the guarantees of the space.

    Guarantees ``known`` to be broken in smaller groups are not checked again.
    """
    return try_groups(space, asked, configurations, space.groups(asked.strategy, configurations), known)


def try_groups(
    space: OwnSpace,
    asked: Asked,
    configurations: Sequence[Configuration],
    groups: Sequence[Group],
    known: Collection[str] = (),
) -> Tried:
    """Like ``try_out``, for groups that the caller built from the ``configurations``.

    The caller can look up the consumers' outcomes in ``asked`` afterwards.
    """
    everybody = [asked, *([space.beside] if space.beside else [])]
    told = min(one.ask(groups, space.naming.consumer_group) for one in everybody)
    found = Tried(groups=told)
    for number, (configuration, group) in enumerate(zip(configurations, groups, strict=True)):
        refused = [(*call, one) for one in everybody for call in one.refused(group)]
        found.refused += bool(refused)
        if refused and RETURNS not in known and RETURNS not in found.broken:
            consumer, outcome, one = refused[0]
            whose = f" of {one.strategy.name}" if space.beside else ""
            found.breaks(RETURNS, configuration, f"The call{whose} of {consumer.client_id} {outcome.what}.")
        if number >= told:  # Stop here: only the call that ended the trials is reported.
            break
        if not judged(group, [call[:2] for call in refused]):
            found.unjudged += 1
            continue
        results = group.results()
        for guarantee in space.guarantees:
            if guarantee.name not in known and guarantee.name not in found.broken:
                sentence = guarantee.violation(group, results)
                if sentence:
                    found.breaks(guarantee.name, configuration, sentence)
        if (
            space.world.name == JOINS.name and len(group.consumers) > 1
        ):  # compared by name, because Spark may have copied the world
            found.movement.merge(_moved(group, results))
    return found


def judged(group: Group, refused: Sequence[tuple[Consumer, Refused]]) -> bool:
    """True if guarantees can be checked in the group although calls failed (``refused``).

    A consumer whose call throws, or returns None, has no queues, as at its start. Groups with a reference or an unread
    share are not checked if a call failed, because earlier results count there too.
    """
    plain = all(outcome.kind in (THROWS, NULL) and consumer.subscribes for consumer, outcome in refused)
    return not refused or (plain and group.reference is None)


def _moved(group: Group, results: Results) -> Movement:
    q, c = len(group.queues), len(group.consumers)
    by_avg = blocks.changed_hands(q, c - 1, joined.joiner(group))
    return Movement(q, joined.changed_hands_observed(group, results), q // c, by_avg)


def everything(space: OwnSpace) -> Iterable[str]:
    """Return ``RETURNS`` and the names of the guarantees that are checked in the space."""
    return (RETURNS, *(guarantee.name for guarantee in space.guarantees))
