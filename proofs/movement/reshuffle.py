"""Guarantee: the worst join under AVG_BY_CIRCLE is that of a consumer that sorts first.

None of the first c * c queues then stays with its consumer.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.names import name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement.lemmas import joined, symbolic
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def _none_stays(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v)
        | consumer(v, "i")
        | {"i of c owns p": e.owns(v.q, v.c, v.i, v.p), "p is one of the first c * c": v.p < v.c * v.c},
        smt.Not(e.owns(v.q, v.c + 1, v.i + 1, v.p)),
    )


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that the joiner sorts first, but one of the first c * c queues stays."""
    c = len(group.members) - 1
    wrong = smt.And(symbolic.position(group) < c * c, symbolic.stays(group))
    return symbolic.when_joining(group, lambda newcomer: smt.And(newcomer == 0, wrong))


def violation(group: Group, results: Results) -> str | None:
    """Describe the first of the c * c first queues that stays although the joiner sorts first.

    None if there is none.
    """
    c = len(group.compared_with.consumers)
    if joined.joiner(group) == 0:
        stays = joined.staying(group, results)
        for queue in group.queues[: c * c]:
            if queue in stays:
                return f"{name_queue(group, queue)} stays."
    return None


RESHUFFLE = Guarantee(
    name="reshuffle",
    sentence="If a consumer that sorts first joins c others, all of the first c * c queues move",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "none-stays",
            "The owner of one of the first c * c positions does not own it after its index grows by one.",
            ("q", "c", "i", "p"),
            _none_stays,
        )
    ),
    violated=violated,
    violation=violation,
)
