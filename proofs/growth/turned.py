"""Guarantee: the owners of old queues under AVG_BY_CIRCLE after new queues are inserted."""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.disjoint import EXCLUSIVE
from rebalance_proofs.proofs.allocation.names import name_consumer, name_queue
from rebalance_proofs.proofs.growth.grown import added
from rebalance_proofs.proofs.growth.steps import STEPS, steps
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement.lemmas.joined import others
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes


def further(c: smt.IntTerm, index: smt.IntTerm, new: smt.IntTerm) -> smt.IntTerm:
    """Return the index of the consumer ``new`` places after ``index`` around the circle."""
    return (index + new) % c


def _quotient(v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return an instance of lemma.steps, as an assumption.

    It is about the position after the new queues, divided by c.
    """
    whole, turns, together = v.p / v.c, (v.i + v.k) / v.c, (v.p + v.k) / v.c
    return {"steps, of p div c + (i + k) div c and (p + k) div c": steps(v.c, whole + turns, together)}


def _before(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v)
        | consumer(v, "i")
        | {"k queues are added": v.k >= 1, "p is a position before the new queues": v.p < v.q},
        e.owns(v.q, v.c, v.i, v.p) == e.owns(v.q + v.k, v.c, v.i, v.p),
    )


def _behind(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(
        sizes(v)
        | consumer(v, "i")
        | {"k queues are added": v.k >= 1, "i owned p": e.owns(v.q, v.c, v.i, v.p)}
        | _quotient(v),
        e.owns(v.q + v.k, v.c, further(v.c, v.i, v.k), v.p + v.k),
    )


def _same(e: Encoding, v: SimpleNamespace) -> Statement:
    turns, whole = (v.i + v.k) / v.c, v.k / v.c
    return Statement(
        {"at least one consumer": v.c >= 1, "k queues are added": v.k >= 1}
        | consumer(v, "i")
        | {"steps, of k div c and (i + k) div c": steps(v.c, whole, turns)},
        (further(v.c, v.i, v.k) == v.i) == (v.k % v.c == 0),
    )


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that an old queue has another owner than the rule names."""
    n, (_, position, first, new) = len(group.members), group.variables
    turn = new % n
    wrong = []
    for place, before in enumerate(group.reference):
        there = smt.Or([smt.And(turn == by, group.members[(place + by) % n].owns) for by in range(n)])
        stays = group.members[place].owns
        wrong.append(smt.And(before.owns, smt.Not(smt.If(position < first, stays, there))))
    return smt.Or(wrong)


def violation(group: Group, results: Results) -> str | None:
    """Describe the first old queue that has another owner than the rule names.

    None if there is none.
    """
    first, new = added(group)
    for other in others(group, results):
        for queue in other.before:
            by = new if group.queues.index(queue) >= first else 0
            place = (other.place + by) % len(group.consumers)
            if queue not in results[place]:
                return f"{name_queue(group, queue)} is not with {name_consumer(group, place)}."
    return None


TURNED = Guarantee(
    name="turned",
    sentence="Adding k queues keeps the queues before them, and moves those behind them k mod c consumers further "
    "around",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "before",
            "The owner of a position before the new queues does not change.",
            ("q", "c", "i", "p", "k"),
            _before,
        ),
        Obligation(
            "behind",
            "Index (i + k) mod c owns the queues that i owned, now k positions later.",
            ("q", "c", "i", "p", "k"),
            _behind,
        ),
        Obligation("same", "Index (i + k) mod c equals i exactly if c divides k.", ("c", "i", "k"), _same),
        EXCLUSIVE,
        STEPS,
    ),
    violated=violated,
    violation=violation,
)
