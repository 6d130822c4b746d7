"""A part of the ledger with everything that the ledger is made of; both solvers judge it in every run."""

from collections.abc import Hashable, Sequence

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.mutation.pinned import LEMMA, PATH, STRUCTURAL, WEAK
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


PINNED = {*WEAK, *STRUCTURAL, *LEMMA}
"""Obligations that need not be sensitive to mutation, some of them for one strategy or client only."""


def made_of(claim: Claim) -> set[Hashable]:
    """Features of a claim: family and verdict, guarantee, subjects, obligations and lemmas."""
    subject, *_ = claim.subjects
    steps = [step.name for step in (*claim.obligations, *claim.lemmas)]
    found: set[Hashable] = {(family(claim).title, claim.expected), (claim.guarantee.name, claim.expected)}
    found |= {(claim.kind, strategy.name, claim.expected) for strategy in claim.subjects}
    return found | {PATH.sub("path", name) for name in steps} | {f"{subject.name} {name}" for name in steps} & PINNED


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
