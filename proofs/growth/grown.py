"""Effects of added queues on concrete results: new queues, and moved old queues."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import NamedTuple

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.proofs.allocation.disjoint import EXCLUSIVE
from rebalance_proofs.proofs.allocation.stated import name_consumer, name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement.lemmas import others
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes

# The lemma "steps" about multiples of c, where a factor is a sum of quotients.
# The instances of lemma.monotone are about products of unknowns. If a factor is a sum of quotients, an instance of
# this lemma is an assumption instead.


def steps(c: smt.IntTerm, x: smt.IntTerm, y: smt.IntTerm) -> smt.BoolTerm:
    """Return the instance of the lemma for c, x and y: about the multiples c * x and c * y.

    They are equal if x and y are equal; otherwise they differ by at least c.
    """
    return smt.And(
        smt.Implies(x == y, c * x == c * y),
        smt.Implies(x < y, c * x + c <= c * y),
        smt.Implies(y < x, c * y + c <= c * x),
    )


STEPS = Obligation(
    "steps",
    "Two multiples of a number are equal if their factors are; otherwise one exceeds the other by at least the number.",
    ("c", "x", "y"),
    lambda e, v: Statement({"c is not negative": v.c >= 0}, steps(v.c, v.x, v.y)),
)


class Added(NamedTuple):
    """The queues that were added to a topic; they are adjacent in mqAll."""

    first: int
    """The position of the first new queue."""
    new: int
    """The number of new queues."""


def added(group: Group) -> Added:
    """Return the queues that a group has now and did not have before."""
    before = group.compared_with.consumers[0].mq_all
    places = [place for place, queue in enumerate(group.queues) if queue not in before]
    return Added(places[0], len(places))


def moves(group: Group, results: Results) -> Iterator[tuple[MessageQueue, int, int | None]]:
    """Yield the old queues that change hands, each with the indexes of its old and new consumer.

    The latter is None if no consumer has the queue.
    """
    for other in others(group, results):
        for queue in other.given_away:
            now = (place for place, result in enumerate(results) if queue in result)
            yield queue, other.place, next(now, None)


# Guarantee: when queues are added, every old queue stays with its consumer.


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that a consumer had an arbitrary queue, and has lost it."""
    pairs = zip(group.reference, group.members, strict=True)
    return smt.Or([smt.And(before.owns, smt.Not(after.owns)) for before, after in pairs])


def violation(group: Group, results: Results) -> str | None:
    """Describe the first queue that changes hands; None if there is none."""
    for queue, before, now in moves(group, results):
        whose = "nobody" if now is None else name_consumer(group, now)
        return f"{name_queue(group, queue)} goes from {name_consumer(group, before)} to {whose}."
    return None


STEADY = Guarantee(
    name="steady",
    sentence="Added queues move no old queue, and removed queues move no remaining queue",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(),
    violated=violated,
    violation=violation,
)


# Guarantee: the owners of old queues under AVG_BY_CIRCLE after new queues are inserted.


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


def violated_turned(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that an old queue has another owner than the rule names."""
    n, (_, position, first, new) = len(group.members), group.variables
    turn = new % n
    wrong = []
    for place, before in enumerate(group.reference):
        there = smt.Or([smt.And(turn == by, group.members[(place + by) % n].owns) for by in range(n)])
        stays = group.members[place].owns
        wrong.append(smt.And(before.owns, smt.Not(smt.If(position < first, stays, there))))
    return smt.Or(wrong)


def violation_turned(group: Group, results: Results) -> str | None:
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
    violated=violated_turned,
    violation=violation_turned,
)
