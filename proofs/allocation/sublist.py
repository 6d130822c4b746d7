"""Guarantee: a result is a sublist of mqAll: without repetition, in mqAll's order."""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.listing import LISTING
from rebalance_proofs.proofs.allocation.names import name_consumer
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def _inside(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v) | consumer(v, "i") | {"i owns p": e.owns(v.q, v.c, v.i, v.p)},
        smt.And(0 <= v.p, v.p < v.q),
    )


INSIDE = Obligation("inside", "A position that a consumer owns is a position of mqAll.", ("q", "c", "i", "p"), _inside)


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that an element of a result is outside mqAll, or out of order.

    Out of order means: its position is not greater than that of the element before it.
    """
    (k,) = smt.Ints("k")
    wrong = []
    for member in group.members:
        e, view = member.encoding, (member.queues, member.consumers, member.index)
        here, following, count = e.element(*view, k), e.element(*view, k + 1), e.count(*view)
        outside = smt.Or(here < 0, here >= member.queues, smt.And(k + 1 < count, following <= here))
        wrong.append(smt.And(0 <= k, k < count, outside))
        wrong.append(smt.And(e.owns(*view, k), smt.Or(k < 0, k >= member.queues)))
    return smt.Or(wrong)


def violation(group: Group, results: Results) -> str | None:
    """Describe the first consumer whose result is no sublist of its mqAll.

    None if there is none.
    """
    for place, (consumer_, result) in enumerate(zip(group.consumers, results, strict=True)):
        rest = iter(consumer_.mq_all)
        if not all(queue in rest for queue in result):
            return f"The result of {name_consumer(group, place)} is no sublist of its mqAll."
    return None


SUBLIST = Guarantee(
    name="sublist",
    sentence="Each consumer's result is a subsequence of mqAll",
    source="https://github.com/apache/rocketmq/blob/develop/client/src/main/java/org/apache/rocketmq/client/consumer/AllocateMessageQueueStrategy.java",
    obligations=agreed(INSIDE, *LISTING),
    violated=violated,
    violation=violation,
)
