"""Nobody is idle for want of queues but the surplus: exactly min(q, c) consumers get a queue.

Of a topic with few queues, like a group's retry topic, that says how many consumers ever get a message of it.
"""

import z3

from model.terms.finite import how_many
from proofs.allocation.listing import COMPLETE, SOUND
from proofs.guarantee import Guarantee
from proofs.obligation import Obligation, Statement, consumer, sizes

__all__ = ["SERVED"]


def _first(e, v):
    return Statement(sizes(v) | consumer(v, "i"), (e.count(v.q, v.c, v.i) >= 1) == (v.i < v.q))


def fewer(queues, consumers):
    """The smaller number."""
    return z3.If(queues < consumers, queues, consumers)


def violated(group):
    """Another number of consumers has a queue."""
    counts = [member.count for member in group.members]
    return how_many([count > 0 for count in counts]) != fewer(group.queues, len(counts))


def violation(group, results):
    """Counts the consumers that have a queue."""
    found, expected = sum(map(bool, results)), min(len(group.queues), len(group.consumers))
    if found == expected:
        return None
    return f"{found} of {len(group.consumers)} consumers have a queue, where min(q, c) is {expected}."


SERVED = Guarantee(
    name="served",
    sentence="Exactly min(q, c) consumers get a queue",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=(
        Obligation("first", "An index has a queue exactly if it is below q.", ("q", "c", "i"), _first),
        SOUND,
        COMPLETE,
    ),
    violated=violated,
    violation=violation,
)
"""Of c indexes, min(q, c) are below q. With c > q it follows from ``idle``, else from ``balanced``."""
