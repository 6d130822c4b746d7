"""With more consumers than queues, exactly c - q consumers get nothing."""

import z3

from model.terms.finite import how_many
from proofs.allocation.listing import SOUND
from proofs.guarantee import Guarantee
from proofs.obligation import Obligation, Statement, consumer, sizes

__all__ = ["IDLE"]


def _busy(e, v):
    return Statement(
        sizes(v) | consumer(v, "i") | {"more consumers than queues": v.c > v.q, "i is one of the first q": v.i < v.q},
        e.count(v.q, v.c, v.i) >= 1,
    )


def _idle(e, v):
    return Statement(
        sizes(v) | consumer(v, "i") | {"more consumers than queues": v.c > v.q, "i is none of the first q": v.i >= v.q},
        z3.Not(e.owns(v.q, v.c, v.i, v.p)),
    )


def violated(group):
    """More consumers than queues, and the number of empty results is not the difference."""
    counts = [member.count for member in group.members]
    surplus = len(counts) - group.queues
    return z3.And(surplus > 0, how_many([count <= 0 for count in counts]) != surplus)


def violation(group, results):
    """Counts the empty results."""
    surplus = len(group.consumers) - len(group.queues)
    empty = sum(not result for result in results)
    if surplus <= 0 or empty == surplus:
        return None
    return f"{empty} of {len(group.consumers)} consumers have nothing, where c - q is {surplus}."


IDLE = Guarantee(
    name="idle",
    sentence="With c > q, exactly c - q consumers get nothing: those with index q and above",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=(
        Obligation("first-busy", "The first q consumers have a queue.", ("q", "c", "i"), _busy),
        Obligation("rest-idle", "The other c - q have none.", ("q", "c", "i", "p"), _idle),
        SOUND,
    ),
    violated=violated,
    violation=violation,
)
