"""Guarantee: in a join under AVG, queues only move to neighbours.

From each consumer, at most as many queues move as the joiner gets.
"""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.names import name_consumer, name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement.lemmas.blocks import BLOCKS, first_part, last_part
from rebalance_proofs.proofs.movement.lemmas.joined import joiner, others
from rebalance_proofs.proofs.movement.lemmas.spread import spread
from rebalance_proofs.proofs.movement.lemmas.symbolic import given_away, when_joining
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def _nearer(e: Encoding, v: SimpleNamespace) -> Statement:
    previous, here = (v.q, v.c, v.i - 1), (v.q, v.c, v.i)
    return Statement(
        sizes(v) | consumer(v, "i") | {"i is not the first": v.i >= 1},
        smt.And(
            last_part(e, *previous) <= last_part(e, *here),
            first_part(e, *previous) >= first_part(e, *here),
        ),
    )


def _beside(e: Encoding, v: SimpleNamespace) -> Statement:
    here = (v.q, v.c, v.i)
    return Statement(
        sizes(v) | consumer(v, "i") | spread(v),
        smt.And(
            last_part(e, *here) <= e.count(v.q, v.c + 1, v.i + 1),
            first_part(e, *here) <= e.count(v.q, v.c + 1, v.i),
        ),
    )


NEARER = Obligation(
    "nearer",
    "From each block to the next, the part after the cut never shrinks and the part before it never grows.",
    ("q", "c", "i"),
    _nearer,
)
"""Obligation that a consumer gives away more, the nearer its index is to the joiner's."""


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that a queue moves beyond a neighbour, or a consumer gives too much.

    Too much means more queues than the joiner gets.
    """
    had, has = ([member.owns for member in members] for members in (group.reference, group.members))
    away = given_away(group)
    up = [smt.And(had[at], smt.Not(smt.Or(has[at], has[at + 1]))) for at in range(len(had) - 1)]
    down = [smt.And(had[at], smt.Not(smt.Or(has[at - 1], has[at]))) for at in range(1, len(had))]

    def wrong(newcomer: int) -> smt.BoolTerm:
        gets = group.members[newcomer].count
        return smt.Or(*up[:newcomer], *down[newcomer:], *(given > gets for given in away))

    return when_joining(group, wrong)


def violation(group: Group, results: Results) -> str | None:
    """Describe the first queue that moves beyond a neighbour, or a consumer that gives too much."""
    newcomer = joiner(group)
    for other in others(group, results):
        who, away = name_consumer(group, other.place), other.given_away
        neighbour = other.place + 1 if other.place < newcomer else other.place - 1
        for queue in away:
            if queue not in results[neighbour]:
                return f"{name_queue(group, queue)} of {who} does not go to the neighbour on the joiner's side."
        if len(away) > len(results[newcomer]):
            gets = f"{name_consumer(group, newcomer)}, the joiner, gets {len(results[newcomer])}"
            return f"{who} gives away {len(away)} queues; {gets}."
    return None


SHIFT = Guarantee(
    name="shift",
    sentence="A join moves queues only to the next consumer on the joiner's side, and from each at most the joiner's "
    "share",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        *BLOCKS,
        NEARER,
        Obligation(
            "beside",
            "After the cut of block i come at most as many queues as i + 1 of c + 1 gets; before it, as i gets.",
            ("q", "c", "i"),
            _beside,
        ),
    ),
    violated=violated,
    violation=violation,
)
