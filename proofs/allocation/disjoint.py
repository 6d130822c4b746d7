"""Guarantee: no queue is given to two consumers."""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.premises import OWN_ID_LISTED
from rebalance_proofs.model.premises.strategies import SAME_SUBSCRIPTION
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import how_many
from rebalance_proofs.proofs.allocation.stated import name_consumer, name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes, truth_values


def _exclusive(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v)
        | consumer(v, "i")
        | consumer(v, "j")
        | {"i and j differ": v.i != v.j, "i owns p": e.owns(v.q, v.c, v.i, v.p)},
        smt.Not(e.owns(v.q, v.c, v.j, v.p)),
    )


def _exclusive_unlisted(e: Encoding, v: SimpleNamespace) -> Statement:
    given = sizes(v) | consumer(v, "i") | consumer(v, "j") | truth_values(v, "listed_i", "listed_j")
    return Statement(
        given
        | {
            "i and j differ": v.i != v.j,
            "i is listed and owns p": smt.And(v.listed_i == 1, e.owns(v.q, v.c, v.i, v.p)),
        },
        smt.Not(smt.And(v.listed_j == 1, e.owns(v.q, v.c, v.j, v.p))),
    )


EXCLUSIVE = Obligation(
    "exclusive", "If one consumer owns a position, no other consumer owns it.", ("q", "c", "i", "j", "p"), _exclusive
)
EXCLUSIVE_UNLISTED = Obligation(
    "exclusive-unlisted",
    "If a listed consumer owns a position, no other consumer owns it, listed or not.",
    ("q", "c", "i", "j", "listed_i", "listed_j", "p"),
    _exclusive_unlisted,
)


def _exclusive_unsubscribed(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v)
        | consumer(v, "i")
        | consumer(v, "j")
        | truth_values(v, "reads_i", "reads_j")
        | {
            "i and j differ": v.i != v.j,
            "i subscribes and owns p": smt.And(v.reads_i == 1, e.owns(v.q, v.c, v.i, v.p)),
        },
        smt.Not(smt.And(v.reads_j == 1, e.owns(v.q, v.c, v.j, v.p))),
    )


EXCLUSIVE_UNSUBSCRIBED = Obligation(
    "exclusive-unsubscribed",
    "If a subscribing consumer owns a position, no other consumer owns it, subscribing or not.",
    ("q", "c", "i", "j", "reads_i", "reads_j", "p"),
    _exclusive_unsubscribed,
)


def violation(group: Group, results: Results) -> str | None:
    """Describe the first queue that is in two results; None if there is none."""
    taken: dict[MessageQueue, int] = {}
    for place, result in enumerate(results):
        for queue in result:
            first = taken.setdefault(queue, place)
            if first != place:
                both = f"{name_consumer(group, first)} and {name_consumer(group, place)}"
                return f"{name_queue(group, queue)} is consumed by both {both}."
    return None


DISJOINT = Guarantee(
    name="disjoint",
    sentence="No queue is given to two consumers",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        EXCLUSIVE,
        without={OWN_ID_LISTED.name: (EXCLUSIVE_UNLISTED,), SAME_SUBSCRIPTION.name: (EXCLUSIVE_UNSUBSCRIBED,)},
    ),
    violated=lambda group: how_many([member.owns for member in group.members]) >= 2,
    violation=violation,
)
