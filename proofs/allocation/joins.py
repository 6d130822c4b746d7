"""Claims about several joins, and about a consumer that leaves and returns."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import Groups, Member
from rebalance_proofs.model.worlds.grows import StagedGroup
from rebalance_proofs.model.worlds.restarts import RESTARTS
from rebalance_proofs.model.worlds.ring_views import RING_SEVERAL_JOIN, RING_TWO_JOINS
from rebalance_proofs.model.worlds.two_joins import TWO_JOINS
from rebalance_proofs.proofs.allocation.stated import name_consumer, name_queue, stated
from rebalance_proofs.proofs.claim import UNBOUNDED, Claim
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.hashing.claims import ANY_RING
from rebalance_proofs.proofs.hashing.induction import JOINING, Joiners, joining, nearer
from rebalance_proofs.proofs.movement import lemmas as blocks
from rebalance_proofs.proofs.movement.avg import COUNTED
from rebalance_proofs.proofs.movement.lemmas import changed_hands_twice, given_away_between, others, shares_of
from rebalance_proofs.proofs.movement.monotone import MONOTONE
from rebalance_proofs.proofs.obligation import Obligation

# Guarantee: any number of consumers that join a hash ring only take queues.
# The induction is that for one joiner (``hashing.joining``). Ids are numbers that are only compared for equality, so
# that without loss of generality the joiners' ids are the numbers from j on.


def violation(group: Group, results: Results) -> str | None:
    """Describe the first consumer that gains a queue; None if there is none."""
    for other in others(group, results):
        for queue in other.gained:
            return f"{name_consumer(group, other.place)} gains {name_queue(group, queue)}."
    return None


SEVERAL = replace(
    MONOTONE,
    name="several",
    sentence="No other consumer gains a queue when any number join, or loses a queue when they leave",
    obligations=agreed(*joining(nearer, Joiners("joins", "a joiner", lambda v, owner: owner >= v.j))),
    violation=violation,
)


# Owners of each queue in concrete groups, before, between and after two changes of members.


class Path(NamedTuple):
    """A queue, and the ids of its owners before, between and after two changes.

    An id is None for no owner.
    """

    queue: MessageQueue
    before: str | None
    between: str | None
    after: str | None


def paths(group: Group, results: Results) -> Iterator[Path]:
    """Yield each queue with its owners before, between and after the two changes."""
    between, before = group.compared_with, group.compared_with.compared_with
    owners = [_owners(before, before.allocate()), _owners(between, between.allocate()), _owners(group, results)]
    for queue in group.queues:
        yield Path(queue, *(has.get(queue) for has in owners))


def _owners(group: Group, results: Results) -> dict[MessageQueue, str]:
    return {
        queue: consumer.client_id for consumer, result in zip(group.consumers, results, strict=True) for queue in result
    }


# Guarantees for two consecutive joins.
# No queue changes hands twice, and none returns to its first consumer.


def leaves(first: Sequence[Member], second: Sequence[Member]) -> smt.BoolTerm:
    """Return the condition that a consumer loses an arbitrary queue between two stages.

    ``first`` and ``second`` are the members at these stages.
    """
    return smt.Or([smt.And(one.owns, smt.Not(other.owns)) for one, other in zip(first, second, strict=True)])


def twice(group: StagedGroup) -> smt.BoolTerm:
    """Return the condition that an arbitrary queue changes hands in both joins."""
    return smt.And(leaves(group.earlier, group.reference), leaves(group.reference, group.members))


def back(group: StagedGroup) -> smt.BoolTerm:
    """Return the condition that a consumer loses an arbitrary queue, and then gets it again."""
    stages = zip(group.earlier, group.reference, group.members, strict=True)
    return smt.Or([smt.And(had.owns, smt.Not(meanwhile.owns), has.owns) for had, meanwhile, has in stages])


def moved_twice(group: Group, results: Results) -> str | None:
    """Describe the first queue that changes hands in both joins; None if there is none."""
    for path in paths(group, results):
        if path.before and path.between and path.before != path.between != path.after:
            whose = path.after or "nobody"
            return f"{name_queue(group, path.queue)} goes from {path.before} to {path.between}, and then to {whose}."
    return None


def moved_back(group: Group, results: Results) -> str | None:
    """Describe the first queue that returns to its first consumer; None if there is none."""
    for path in paths(group, results):
        if path.before and path.before == path.after != path.between:
            meanwhile = path.between or "nobody"
            return f"{name_queue(group, path.queue)} goes from {path.before} to {meanwhile}, and comes back."
    return None


ONCE = Guarantee(
    name="once",
    sentence="If two consumers join one after the other, no queue moves twice, so no more move than at once",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(),
    violated=twice,
    violation=moved_twice,
)
"""The guarantee: no queue changes hands in both joins.

Therefore joining one by one never moves fewer queues than joining at once: a queue that ends with another consumer
changed hands at least once.
"""

NO_RETURN = Guarantee(
    name="no-return",
    sentence="If two consumers join one after the other, no queue leaves its consumer and comes back to it",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(),
    violated=back,
    violation=moved_back,
)


# Guarantees for a consumer that restarts: how many queues change hands, and how.


def places(group: StagedGroup) -> tuple[smt.IntTerm, ...]:
    """Return the unknown indexes of the restarting consumer, before and after the restart."""
    return group.variables[2:]


def stages(group: StagedGroup) -> Iterator[tuple[Member, Member, Member]]:
    """Yield each consumer before, during and after the restart, by its index after it.

    During the restart, the restarting consumer is missing.
    """
    return zip(group.earlier, group.reference, group.members, strict=True)


def miscounted(group: StagedGroup) -> smt.BoolTerm:
    """Return the condition that a restart moves a wrong number of queues, or loses one.

    The number of moved queues is not that of two joins. Or a queue did not return although its consumer did.
    """
    c = len(group.members) - 1
    if not c:
        return smt.BoolVal(False)
    left, back = places(group)
    s = shares_of(group.queues, c)
    steps = [
        smt.Sum([given_away_between(meanwhile, stage) for meanwhile, stage in pairs])
        for pairs in (
            zip(group.reference, group.earlier, strict=True),
            zip(group.reference, group.members, strict=True),
        )
    ]
    joins = [
        smt.Sum([smt.If(place == at, changed_hands_twice(s, smt.IntVal(at)), 0) for at in range(c + 1)])
        for place in (left, back)
    ]
    elsewhere = smt.Or([had.owns != has.owns for had, _, has in stages(group)])
    return smt.Or(2 * smt.Sum(steps) != smt.Sum(joins), smt.And(left == back, elsewhere))


def miscount(group: Group, results: Results) -> str | None:
    """Describe a queue that did not return, or a wrong number of moved queues.

    None if there is none.
    """
    between = group.compared_with
    c = len(between.consumers)
    if not c:
        return None
    ids = [[consumer.client_id for consumer in stage.consumers] for stage in (between.compared_with, group)]
    without = {consumer.client_id for consumer in between.consumers}
    left, back = (next(place for place, id_ in enumerate(listed) if id_ not in without) for listed in ids)
    found = 0
    for path in paths(group, results):
        found += sum(stage != path.between for stage in (path.before, path.after))
        if left == back and path.before != path.after:
            return f"{name_queue(group, path.queue)} is not back with {path.before}."
    expected = sum(blocks.changed_hands(len(group.queues), c, place) for place in (left, back))
    return None if found == expected else f"{found} queues change hands in the two steps, not {expected}."


def passed_on(group: StagedGroup) -> smt.BoolTerm:
    """Return the condition that an arbitrary queue moved between two of the other consumers."""
    _, back = places(group)
    others = [(back != place, was.owns, now.owns) for place, (was, _, now) in enumerate(stages(group))]
    had = smt.Or([smt.And(other, before) for other, before, _ in others])
    has = smt.Or([smt.And(other, after) for other, _, after in others])
    kept = smt.Or([smt.And(both) for both in others])
    return smt.And(had, has, smt.Not(kept))


def passes(group: Group, results: Results) -> str | None:
    """Describe the first queue that a consumer lost to another one during a restart.

    Neither is the restarting consumer. None if there is none.
    """
    others = {consumer.client_id for consumer in group.compared_with.consumers}
    for path in paths(group, results):
        if {path.before, path.after} <= others and path.before != path.after:
            return f"{name_queue(group, path.queue)} was with {path.before}, and is with {path.after} in the end."
    return None


RESTART = Guarantee(
    name="restart",
    sentence="A restart from place j to place k moves as many queues as a join at j and a join at k",
    assumes=("moves counted in both steps, the leave and the join",),
    where=("for j = k, every queue back at its consumer",),
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(*COUNTED),
    violated=miscounted,
    violation=miscount,
)
"""The guarantee about the queues that change hands in a restart.

If j = k, all queues return under every strategy that uses only lengths and indexes, because these are the same again.
"""

OWN_ONLY = Guarantee(
    name="own-only",
    sentence="After a restart of one consumer, at any place, no queue has moved between two other consumers",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(),
    violated=passed_on,
    violation=passes,
)


Entry = tuple[Strategy, Guarantee, Groups, tuple[Obligation, ...]]

GIVES: tuple[Entry, ...] = (
    (AVERAGELY, ONCE, TWO_JOINS, ()),
    (AVERAGELY, NO_RETURN, TWO_JOINS, ()),
    (AVERAGELY, RESTART, RESTARTS, RESTART.obligations(RESTARTS)),
    (AVERAGELY, OWN_ONLY, RESTARTS, ()),
    (AVERAGELY_BY_CIRCLE, ONCE, TWO_JOINS, ()),
    (AVERAGELY_BY_CIRCLE, NO_RETURN, TWO_JOINS, ()),
    (AVERAGELY_BY_CIRCLE, OWN_ONLY, RESTARTS, ()),
    (CONSISTENT_HASH, ONCE, RING_TWO_JOINS, ()),
    (CONSISTENT_HASH, NO_RETURN, RING_TWO_JOINS, JOINING),
    (CONSISTENT_HASH, SEVERAL, RING_SEVERAL_JOIN, SEVERAL.obligations(RING_SEVERAL_JOIN)),
)
"""Strategy -> the guarantees claimed of it, with their obligations.

A guarantee without obligations is claimed to fail.
"""


def claims() -> tuple[Claim, ...]:
    """Return all claims about several joins and restarts, in the order of the ledger."""
    return tuple(
        stated(
            "joins",
            (strategy,),
            guarantee,
            world,
            holds=bool(obligations),
            obligations=obligations,
            scope=ANY_RING if strategy is CONSISTENT_HASH else UNBOUNDED,
            assuming=("the same hash function for all consumers",) if strategy is CONSISTENT_HASH else (),
        )
        for strategy, guarantee, world, obligations in GIVES
    )
