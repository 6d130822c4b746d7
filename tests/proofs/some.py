"""A part of the ledger with everything that proofs are made of; both solvers judge it whenever tests run.

All claims are judged by `rebalance verify`, as in continuous integration, and by slow tests.
"""

from collections.abc import Hashable, Sequence

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.mutation.pinned import PATH
from rebalance_proofs.report.families import family

NAMED = (
    "allocation.avg.disjoint",
    "allocation.avg.idle",
    "allocation.avg.sublist",
    "allocation.avg.balanced",
    "allocation.hash.successor",
    "allocation.room.unread.without-same-subscription",
    "code.avg",
    "code.room-go",
    "growth.avg.appended",
    "joins.hash.several",
    "movement.avg.bound",
    "movement.avg.moved",
    "topics.avg-per-topic.level",
    "topics.kafka-range.tilt",
    "topics.kafka-round-robin.attained",
    "transition.node.changed",
    "transition.node.exact",
    "transition.java_v5_2.late-unlock.push-orderly-as-shipped",
    "transition.java_v5_2.renewed.push-orderly.when-its-topic-is-not-static",
    "transition.java_v4_9.partition",
)
"""Claims whose results a test names."""


def made_of(claim: Claim) -> set[Hashable]:
    """Features of a claim: its family and verdict, and the obligations and lemmas of its kind."""
    steps = [step.name for step in (*claim.obligations, *claim.lemmas)]
    return {(family(claim).title, claim.expected)} | {(claim.kind, PATH.sub("path", name)) for name in steps}


def work(claim: Claim) -> int:
    """Approximate effort of judging a claim: its obligations, and the modes that are searched."""
    return 1 + len(claim.obligations) + len(getattr(claim.world, "modes", ()))


def some(ledger: Sequence[Claim]) -> tuple[Claim, ...]:
    """Claims that together have every feature of the ledger's claims, chosen by features for their effort."""
    chosen = {claim.id for claim in ledger if claim.id in NAMED}
    there = set().union(*(made_of(claim) for claim in ledger if claim.id in chosen))
    missing = set().union(*map(made_of, ledger)) - there
    while missing:
        best = max(ledger, key=lambda claim: len(made_of(claim) & missing) / work(claim))
        chosen.add(best.id)
        missing -= made_of(best)
    return tuple(claim for claim in ledger if claim.id in chosen)


SOME = some(LEDGER)
