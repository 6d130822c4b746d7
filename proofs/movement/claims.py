"""Claims about the queues that change hands when a consumer joins or leaves."""

from types import SimpleNamespace

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.strategy import Encoding, Strategy
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import SymbolicGroup
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee, agreed
from rebalance_proofs.proofs.movement import lemmas as joined
from rebalance_proofs.proofs.movement.avg import BOUND, MOVED, SHIFT
from rebalance_proofs.proofs.movement.circle import APART, KEPT, RESHUFFLE
from rebalance_proofs.proofs.movement.lemmas import BLOCKS, last_part
from rebalance_proofs.proofs.movement.monotone import MONOTONE, SHRINK
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer

# Guarantee: the smallest costly join under AVG has c + 1 queues, and the joiner sorts last.
# All c other consumers then lose a queue.


def _one_each(e: Encoding, v: SimpleNamespace) -> Statement:
    q = v.c + 1
    return Statement(
        {"at least one consumer": v.c >= 1} | consumer(v, "i"),
        smt.And(last_part(e, q, v.c, v.i) == 1, e.count(q, v.c + 1, v.c) == 1),
    )


def violated(group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that the number of moved queues is not c.

    There are c + 1 queues, and the joiner sorts last.
    """
    c = len(group.members) - 1
    wrong = smt.And(group.queues == c + 1, joined.changed_hands_symbolic(group) != c)
    return joined.when_joining(group, lambda newcomer: smt.And(newcomer == c, wrong))


def violation(group: Group, results: Results) -> str | None:
    """Describe the number of queues that change hands, if it is not c."""
    c = len(group.compared_with.consumers)
    if joined.joiner(group) != c or len(group.queues) != c + 1:
        return None
    found = joined.changed_hands_observed(group, results)
    return None if found == c else f"{found} of {c + 1} queues change hands, not {c}."


ATTAINED = Guarantee(
    name="attained",
    sentence="If a consumer that sorts last joins c others with c + 1 queues, each loses one and it gets one",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    obligations=agreed(
        *BLOCKS,
        Obligation(
            "one-each",
            "With c + 1 queues, each block has one queue after the cut, and the last of c + 1 consumers has one queue.",
            ("c", "i"),
            _one_each,
        ),
    ),
    violated=violated,
    violation=violation,
)


GIVES: tuple[tuple[Strategy, tuple[Guarantee, ...]], ...] = (
    (AVERAGELY, (MONOTONE, SHRINK, SHIFT, MOVED, BOUND, ATTAINED)),
    (AVERAGELY_BY_CIRCLE, (MONOTONE, SHRINK, KEPT, APART, RESHUFFLE)),
)
"""Strategy -> the guarantees claimed of it.

A guarantee without obligations is claimed to fail.
"""


def claims() -> tuple[Claim, ...]:
    """Return all claims about joins and leaves, in the order of the ledger."""
    return tuple(
        stated("movement", (strategy,), guarantee, JOINS, holds=bool(guarantee.obligations(JOINS)))
        for strategy, guarantees in GIVES
        for guarantee in guarantees
    )
