"""Guarantees for two consecutive joins.

No queue changes hands twice, and none returns to its first consumer.
"""

from collections.abc import Sequence

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import Member
from rebalance_proofs.model.worlds.staged import StagedGroup
from rebalance_proofs.proofs.allocation.names import name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.joins.staged import paths


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
