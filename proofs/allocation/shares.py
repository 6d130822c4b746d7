"""Guarantee: every consumer has q div c queues, and the first q mod c have one more.

The order is that of cidAll.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.listing import LISTING
from rebalance_proofs.proofs.allocation.names import name_consumer
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def exact_share(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm) -> smt.IntTerm:
    """Return the number of queues of the consumer with that index.

    It is q div c, plus one for the first q mod c consumers.
    """
    return q / c + smt.If(index < q % c, 1, 0)


def _share(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(sizes(v) | consumer(v, "i"), e.count(v.q, v.c, v.i) == exact_share(v.q, v.c, v.i))


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that some consumer has a number of queues other than its exact share."""
    return smt.Or(
        [member.count != exact_share(member.queues, member.consumers, member.index) for member in group.members]
    )


def violation(group: Group, results: Results) -> str | None:
    """Describe the first consumer whose number of queues is not its exact share.

    None if there is none.
    """
    base, extra = divmod(len(group.queues), len(group.consumers))
    for place, result in enumerate(results):
        share = base + (place < extra)
        if len(result) != share:
            return f"{name_consumer(group, place)} has {len(result)} queues; its share is {share}."
    return None


SHARES = Guarantee(
    name="shares",
    sentence="Consumer i gets q div c queues, and one more if i < q mod c",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "share", "The consumer at index i has q div c queues, and one more if i < q mod c.", ("q", "c", "i"), _share
        ),
        *LISTING,
    ),
    violated=violated,
    violation=violation,
)
