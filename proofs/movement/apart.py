"""Guarantee: the distance between queues that stay with one consumer under AVG_BY_CIRCLE."""

from dataclasses import replace
from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.names import name_consumer, name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement.lemmas import symbolic
from rebalance_proofs.proofs.movement.lemmas.joined import others
from rebalance_proofs.proofs.movement.lemmas.places import joiner, later
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer


def _apart(e: Encoding, v: SimpleNamespace) -> Statement:
    q = v.r + v.s
    before, after = (q, v.c, v.i), (q, v.c + 1, later(v))
    places_before = e.rank(*before, v.r) - e.rank(*before, v.p)
    places_after = e.rank(*after, v.r) - e.rank(*after, v.p)
    return Statement(
        {"at least one consumer": v.c >= 1, "mqAll has s queues from r on": v.s >= 1}
        | consumer(v, "i")
        | joiner(v)
        | {
            "it owned p before the join": e.owns(*before, v.p),
            "it owned r before the join": e.owns(*before, v.r),
            "it owns p after the join": e.owns(*after, v.p),
            "it owns r after the join": e.owns(*after, v.r),
            "p before r": v.p < v.r,
        },
        smt.And(
            v.r - v.p == (v.c + 1) * places_after,
            places_after == v.c * (places_before - places_after),
        ),
    )


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that a consumer keeps two queues at a wrong distance.

    The distance is no multiple of c(c + 1). One of them is an arbitrary, fixed queue.
    """
    other, c = smt.Int("other"), len(group.members) - 1
    distance = symbolic.position(group) - other
    keeps_both = [
        smt.And(
            before.listed, *(smt.And(member.owns, replace(member, position=other).owns) for member in (before, after))
        )
        for before, after in zip(group.reference, group.members, strict=True)
    ]
    return symbolic.when_joining(group, lambda newcomer: smt.And(smt.Or(keeps_both), distance % (c * (c + 1)) != 0))


def violation(group: Group, results: Results) -> str | None:
    """Describe the first two queues that a consumer keeps at another distance.

    None if there are none.
    """
    c = len(group.compared_with.consumers)
    for other in others(group, results):
        kept = other.kept
        for queue in kept[1:]:
            if (group.queues.index(queue) - group.queues.index(kept[0])) % (c * (c + 1)):
                both = f"{name_queue(group, kept[0])} and {name_queue(group, queue)}"
                return f"{name_consumer(group, other.place)} keeps {both}."
    return None


APART = Guarantee(
    name="apart",
    sentence="After a join to c others, the queues that a consumer keeps are multiples of c(c + 1) apart",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "apart",
            "Two queues that stay with i are c(c + 1)h positions apart; in i's list they come h places closer.",
            ("c", "i", "j", "p", "r", "s"),
            _apart,
        )
    ),
    violated=violated,
    violation=violation,
)
