"""Claims about the old queues that change hands when a topic gets more queues.

In reverse: when queues are removed.
"""

from collections.abc import Callable
from types import SimpleNamespace

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.strategy import Encoding, Strategy
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.model.worlds.grows import GROWS
from rebalance_proofs.model.worlds.ring_views import RING_GROWS
from rebalance_proofs.proofs.allocation.stated import name_consumer, name_queue, stated
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.growth.appended import APPENDED, PREPENDED
from rebalance_proofs.proofs.growth.grown import STEADY, TURNED, added, moves
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.hashing.claims import ANY_RING
from rebalance_proofs.proofs.hashing.induction import SAME_OWNER
from rebalance_proofs.proofs.movement.lemmas import SPREAD, instance
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, sizes

# Guarantee: the direction in which old queues move under AVG.
# New queues are inserted between them.


def given(e: Encoding, v: SimpleNamespace, position: smt.IntTerm) -> dict[str, smt.BoolTerm]:
    """Return the assumption that consumer i owned a queue, and j owns it now.

    ``position`` is its index after the new queues were added.
    """
    return (
        sizes(v)
        | consumer(v, "i")
        | consumer(v, "j")
        | {
            "k queues are added": v.k >= 1,
            "i owned p": e.owns(v.q, v.c, v.i, v.p),
            "j owns it now": e.owns(v.q + v.k, v.c, v.j, position),
        }
    )


def _lower(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(given(e, v, v.p) | spread_over(v, "j", v.j), v.j <= v.i)


def _higher(e: Encoding, v: SimpleNamespace) -> Statement:
    return Statement(given(e, v, v.p + v.k) | spread_over(v, "c - j - 1", v.c - v.j - 1), v.j >= v.i)


def spread_over(v: SimpleNamespace, name: str, consumers: smt.IntTerm) -> dict[str, smt.BoolTerm]:
    """Return the instance of lemma.spread for ``consumers`` and the two quotients of AVG.

    The quotients are those of the old and the new number of queues by c.
    """
    return {f"spread, of {name}, (q + k) div c, q div c": instance(consumers, (v.q + v.k) / v.c, v.q / v.c)}


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that a queue moves in the wrong direction.

    A queue before the new queues moves to a higher index, or a queue after them to a lower index.
    """
    _, position, first, _ = group.variables
    n = len(group.members)

    def goes(wrong: Callable[[int, int], bool]) -> smt.BoolTerm:
        return smt.Or(
            [smt.And(group.reference[i].owns, group.members[j].owns) for i in range(n) for j in range(n) if wrong(i, j)]
        )

    return smt.If(position < first, goes(lambda i, j: j > i), goes(lambda i, j: j < i))


def violation(group: Group, results: Results) -> str | None:
    """Describe the first queue that moves in the wrong direction; None if there is none."""
    first, _ = added(group)
    for queue, before, now in moves(group, results):
        if now is not None and (now > before) == (group.queues.index(queue) < first):
            return (
                f"{name_queue(group, queue)} goes from {name_consumer(group, before)} to {name_consumer(group, now)}."
            )
    return None


SIDES = Guarantee(
    name="sides",
    sentence="Added queues move queues before them only to lower indexes, and queues behind them only to higher "
    "indexes",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        Obligation(
            "lower",
            "For a queue before the new queues, the new owner's index is no higher.",
            ("q", "c", "i", "j", "p", "k"),
            _lower,
        ),
        Obligation(
            "higher",
            "For a queue after the new queues, the new owner's index is no lower.",
            ("q", "c", "i", "j", "p", "k"),
            _higher,
        ),
        SPREAD,
    ),
    violated=violated,
    violation=violation,
)


GIVES: tuple[tuple[Strategy, tuple[Guarantee, ...]], ...] = (
    (AVERAGELY, (STEADY, SIDES, APPENDED, PREPENDED)),
    (AVERAGELY_BY_CIRCLE, (STEADY, TURNED)),
    (MACHINE_ROOM, (STEADY,)),
)
"""Strategy -> the guarantees claimed of it.

A guarantee without obligations is claimed to fail.
"""


def claims() -> tuple[Claim, ...]:
    """Return all claims about added or removed queues, in the order of the ledger."""
    return (
        *(
            stated("growth", (strategy,), guarantee, GROWS, holds=bool(guarantee.obligations(GROWS)))
            for strategy, guarantees in GIVES
            for guarantee in guarantees
        ),
        stated("growth", (CONSISTENT_HASH,), STEADY, RING_GROWS, obligations=SAME_OWNER[:2], scope=ANY_RING),
    )
