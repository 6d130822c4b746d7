"""Guarantees for a consumer that restarts: how many queues change hands, and how."""

from collections.abc import Iterator

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import Member
from rebalance_proofs.model.worlds.staged import StagedGroup
from rebalance_proofs.proofs.allocation.names import name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.joins.staged import paths
from rebalance_proofs.proofs.movement.lemmas import totals
from rebalance_proofs.proofs.movement.lemmas.symbolic import given_away_between
from rebalance_proofs.proofs.movement.lemmas.totals import changed_hands_twice, shares_of
from rebalance_proofs.proofs.movement.moved import COUNTED


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
    expected = sum(totals.changed_hands(len(group.queues), c, place) for place in (left, back))
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
